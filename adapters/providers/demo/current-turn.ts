import type { Message } from '../../../ports/message.ts';

/** A call to a tool. */
export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** A call with what came of it. */
export interface Outcome {
  call: Call;
  text: string;
  failed: boolean;
}

/** The latest prompt and what was done for it until now, one list of outcomes a step. */
export interface CurrentTurn {
  prompt: string;
  rounds: Outcome[][];
}

/** Text that larik put beside the user's own. */
const notThePrompt = /^\s*<(?:system-note|hook-context|hook-feedback|task-notification|mentioned|summary)\b/;

function promptOf(message: Message): string | null {
  if (message.role !== 'user') return null;
  const texts = message.blocks.flatMap((block) =>
    block.type === 'text' && block.text.trim() !== '' && !notThePrompt.test(block.text) ? [block.text] : [],
  );
  return texts.at(-1) ?? null;
}

function outcomesOf(asked: Message, answered: Message): Outcome[] {
  return asked.blocks.flatMap((block): Outcome[] => {
    if (block.type !== 'tool_use') return [];
    const result = answered.blocks.find((one) => one.type === 'tool_result' && one.id === block.id);
    if (result?.type !== 'tool_result') return [];
    const input = typeof block.input === 'object' && block.input !== null ? block.input : {};
    return [
      {
        call: { name: block.name, input: input as Record<string, unknown> },
        text: result.content,
        failed: result.isError === true,
      },
    ];
  });
}

/** Reads from the conversation alone where the demo stands. */
export function currentTurn(messages: readonly Message[]): CurrentTurn {
  const at = messages.findLastIndex((message) => promptOf(message) !== null);
  const start = messages[at];
  const rounds: Outcome[][] = [];
  for (let index = at + 1; index < messages.length; index += 1) {
    const asked = messages[index];
    const answered = messages[index + 1];
    if (asked?.role !== 'assistant' || answered?.role !== 'user') continue;
    const outcomes = outcomesOf(asked, answered);
    if (outcomes.length > 0) rounds.push(outcomes);
  }
  return { prompt: (start === undefined ? null : promptOf(start)) ?? '', rounds };
}
