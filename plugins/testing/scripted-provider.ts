import { PortError } from '../../ports/errors.ts';
import type { Block, StopReason, Usage } from '../../ports/message.ts';
import type {
  ModelRequest,
  Provider,
  ProviderDelta,
  ProviderEvent,
  StreamWatch,
} from '../../ports/provider.ts';

/** One answer of a scripted model. */
export interface ScriptedResponse {
  thinking?: string;
  text?: string;
  /** `input` null: arguments that were cut off. */
  calls?: { name: string; input?: Record<string, unknown> | null; id?: string }[];
  /** The blocks as they are, in place of the three above. */
  blocks?: Block[];
  /** What is shown before, in place of deltas made from the blocks. */
  deltas?: ProviderDelta[];
  stopReason?: StopReason;
  usage?: Usage | null;
  /** Thrown after the deltas, in place of an end. */
  error?: Error;
  /** Waits after the deltas until the signal aborts. */
  hangs?: true;
}

/** What a scripted model answers to a request: the same each time, or made from the request. */
export type ResponseScript = ScriptedResponse | ((request: ModelRequest) => ScriptedResponse);

function blocksOf(response: ScriptedResponse, number: number): Block[] {
  if (response.blocks !== undefined) return response.blocks;
  const { thinking, text, calls = [] } = response;
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, text: thinking, provider: 'scripted' }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call, at) => ({
      type: 'tool_use' as const,
      id: call.id ?? `call_${number}_${at + 1}`,
      name: call.name,
      input: call.input === undefined ? {} : call.input,
      ...(call.input === null ? { rawInput: '{' } : {}),
    })),
  ];
}

function deltasOf(blocks: readonly Block[]): ProviderDelta[] {
  let index = -1;
  return blocks.flatMap((block): ProviderDelta[] => {
    if (block.type === 'text' || block.type === 'thinking') {
      return block.text === '' ? [] : [{ kind: block.type, text: block.text }];
    }
    if (block.type !== 'tool_use') return [];
    index += 1;
    const json = block.rawInput ?? JSON.stringify(block.input);
    return [
      { kind: 'tool_start', index, name: block.name, id: block.id },
      ...(json === '{}' ? [] : [{ kind: 'tool_input' as const, index, json }]),
    ];
  });
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  throw signal.reason as Error;
}

/** A provider that answers from a list, one response for each request, and keeps the requests. */
export class ScriptedProvider implements Provider {
  readonly name = 'scripted';
  /** Every request, as it was when it was sent. */
  readonly requests: ModelRequest[] = [];
  readonly #responses: readonly ResponseScript[];

  constructor(responses: readonly ResponseScript[]) {
    this.#responses = responses;
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
    watch?: StreamWatch,
  ): AsyncGenerator<ProviderEvent> {
    signal.throwIfAborted();
    this.requests.push(structuredClone(request));
    const number = this.requests.length;
    const script = this.#responses[number - 1];
    if (script === undefined) {
      const text = `request ${number} came, but only ${this.#responses.length} responses were scripted`;
      throw new PortError('provider', 'invalid_request', text, { retryable: false });
    }
    const response = typeof script === 'function' ? script(request) : script;
    const blocks = blocksOf(response, number);
    for (const delta of response.deltas ?? deltasOf(blocks)) {
      signal.throwIfAborted();
      watch?.onActivity?.();
      yield delta;
    }
    if (response.hangs === true) await untilAborted(signal);
    if (response.error !== undefined) throw response.error;
    const calls = blocks.some((block) => block.type === 'tool_use');
    yield {
      kind: 'done',
      message: { role: 'assistant', model: request.model, blocks },
      usage:
        response.usage === undefined ? { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } : response.usage,
      stopReason: response.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    };
  }
}

/** A model that says what `responses` hold, and remembers what it was asked in `requests`. */
export function scriptedProvider(responses: readonly ResponseScript[]): ScriptedProvider {
  return new ScriptedProvider(responses);
}
