import type { Message } from '../ports/message.ts';

/** Steps looked back at, and how often one of them may come again among them. */
const window = 8;
const repeats = 4;

/** One step as a text: its calls with their inputs, and what came back. */
function fingerprint(answer: Message, results: Message): string {
  const calls = answer.blocks.flatMap((b) => (b.type === 'tool_use' ? [[b.name, b.input]] : []));
  const contents = results.blocks.flatMap((b) => (b.type === 'tool_result' ? [b.content] : []));
  return JSON.stringify([calls, contents]);
}

/**
 * True if the newest step is the fourth of its kind within the last eight: the same calls with the
 * same results (spec: agent-loop, "Budget and loops"). Only subagents are held to it: a person can
 * see for themselves.
 */
export function sawLoop(messages: readonly Message[]): boolean {
  const steps: string[] = [];
  for (let i = messages.length - 1; i > 0 && steps.length < window; i--) {
    const results = messages[i];
    const answer = messages[i - 1];
    if (results?.role !== 'user' || answer?.role !== 'assistant') continue;
    if (!answer.blocks.some((block) => block.type === 'tool_use')) break;
    steps.push(fingerprint(answer, results));
  }
  return steps.filter((step) => step === steps[0]).length >= repeats;
}
