import type { Block, Message } from '../../../ports/message.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../ports/provider.ts';
import { currentTurn } from './current-turn.ts';
import { understand, type Intent } from './intents.ts';
import { nextMove } from './plan.ts';
import { helpText, notAModel, notUnderstood } from './wording.ts';

/** Characters of a token, roughly. */
const perToken = 4;

function textLength(message: Message): number {
  return message.blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
}

function usageOf(
  request: ModelRequest,
  answer: Message,
): { input: number; output: number; cacheRead: 0; cacheWrite: 0 } {
  const asked = request.system.length + JSON.stringify(request.tools).length;
  const said = request.messages.reduce((sum, message) => sum + textLength(message), 0);
  return {
    input: Math.ceil((asked + said) / perToken),
    output: Math.ceil(textLength(answer) / perToken),
    cacheRead: 0,
    cacheWrite: 0,
  };
}

const isWork = (intent: Intent): intent is Exclude<Intent, { kind: 'help' }> => intent.kind !== 'help';

/** A name for a call that is the same each time and unlike all before it. */
function callId(request: ModelRequest, at: number): string {
  return `demo_${request.messages.length}_${at + 1}`;
}

async function answerTo(request: ModelRequest, connections: () => Promise<string[]>): Promise<Block[]> {
  const { prompt, rounds } = currentTurn(request.messages);
  const { intents, unknown } = understand(prompt);
  const work = intents.filter(isWork);
  if (work.length === 0) {
    const ways = await connections();
    return [{ type: 'text', text: intents.length > 0 ? helpText(ways) : notUnderstood(ways) }];
  }
  const move = nextMove(work, rounds, new Set(request.tools.map((tool) => tool.name)));
  if (move.kind === 'report') {
    const left = unknown.map((part) => `I did not understand “${part.slice(0, 200)}”, and left it out.`);
    return [{ type: 'text', text: [move.text, ...left, notAModel].join('\n\n') }];
  }
  return [
    { type: 'text', text: move.say },
    ...move.calls.map((call, at) => ({ type: 'tool_use' as const, id: callId(request, at), ...call })),
  ];
}

function* deltasOf(blocks: readonly Block[]): Generator<ProviderEvent> {
  let index = 0;
  for (const block of blocks) {
    if (block.type === 'text') {
      for (const text of block.text.match(/[\s\S]{1,60}(?=\s|$)|[\s\S]{1,60}/gu) ?? [])
        yield { kind: 'text', text };
    }
    if (block.type !== 'tool_use') continue;
    yield { kind: 'tool_start', index, name: block.name, id: block.id };
    yield { kind: 'tool_input', index, json: JSON.stringify(block.input) };
    index += 1;
  }
}

/**
 * The stand-in for a model that works offline and without a key (spec: providers, `demo`): fixed rules
 * that drive the real loop and the real tools on the user's project. It keeps no state; where it stands
 * it reads from the request's messages. `connections` gives lines on how to connect a real model on
 * this machine; it is asked only when they are needed.
 */
export function createDemoProvider(options: { connections(): Promise<string[]> }): Provider {
  return {
    name: 'demo',
    async *stream(request, signal, watch) {
      signal.throwIfAborted();
      const blocks = await answerTo(request, () => options.connections());
      for (const delta of deltasOf(blocks)) {
        signal.throwIfAborted();
        watch?.onActivity?.();
        yield delta;
      }
      const message: Message = { role: 'assistant', model: request.model, blocks };
      const stopReason = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
      yield { kind: 'done', message, usage: usageOf(request, message), stopReason };
    },
  };
}
