import type { Ids } from '../../../ports/clock.ts';
import type { Block, StopReason, Usage } from '../../../ports/message.ts';
import type { ProviderDelta, ProviderDone } from '../../../ports/provider.ts';
import type { Reply, ReplyEvent } from '../http/protocol-provider.ts';
import { parseArguments } from '../wire/arguments.ts';
import { madeUpToolId } from '../wire/tool-ids.ts';
import { count, list, numberOr, record, text } from '../wire/json.ts';

type Json = Record<string, unknown>;

interface Part {
  type: string;
  raw: Json;
  /** Text or thinking so far. */
  text: string;
  signature: string | null;
  /** Argument text as it came. */
  json: string;
  /** Counts the calls of the message; -1 for what is no call. */
  call: number;
}

/**
 * Puts the answer of the Messages API together, event by event (wire formats, section 6, "Events").
 * `take` returns what is to be shown; `done` is the answer once `complete`.
 */
export class AnthropicReply implements Reply {
  readonly #provider: string;
  readonly #model: string;
  readonly #ids: Ids;
  readonly #parts = new Map<number, Part>();
  #calls = 0;
  #usage: Usage | null = null;
  #stop = '';
  complete = false;

  constructor(provider: string, model: string, ids: Ids) {
    this.#provider = provider;
    this.#model = model;
    this.#ids = ids;
  }

  take({ json: event }: ReplyEvent): ProviderDelta[] {
    const index = numberOr(event['index'], -1);
    switch (event['type']) {
      case 'message_start':
        this.#count(record(event['message'])['usage']);
        return [];
      case 'content_block_start':
        return this.#start(index, record(event['content_block']));
      case 'content_block_delta':
        return this.#delta(this.#parts.get(index), record(event['delta']));
      case 'content_block_stop':
        return this.#end(this.#parts.get(index));
      case 'message_delta':
        this.#stop = text(record(event['delta'])['stop_reason']) || this.#stop;
        this.#count(event['usage']);
        return [];
      case 'message_stop':
        this.complete = true;
        return [];
      case 'message':
        return this.#whole(event);
      default:
        return [];
    }
  }

  rest(): ProviderDelta[] {
    return [];
  }

  done(): ProviderDone {
    const ids = new Set<string>();
    const parts = [...this.#parts].sort(([a], [b]) => a - b);
    const blocks = parts.flatMap(([, part]) => this.#block(part, ids));
    return {
      kind: 'done',
      message: { role: 'assistant', model: this.#model, blocks },
      usage: this.#usage,
      stopReason: stopReason(this.#stop, this.#calls > 0),
    };
  }

  /** The answer of a server that does not stream: one message, which ends where it says why. */
  #whole(message: Json): ProviderDelta[] {
    this.#stop = text(message['stop_reason']);
    this.complete = this.#stop !== '';
    this.#count(message['usage']);
    return list(message['content']).flatMap((block, index) => [
      ...this.#start(index, record(block)),
      ...this.#end(this.#parts.get(index)),
    ]);
  }

  #start(index: number, raw: Json): ProviderDelta[] {
    const type = text(raw['type']);
    if (type === '') return [];
    const part: Part = {
      type,
      raw,
      text: text(raw[type === 'thinking' ? 'thinking' : 'text']),
      signature: text(raw[type === 'redacted_thinking' ? 'data' : 'signature']) || null,
      json: '',
      call: type === 'tool_use' ? this.#calls : -1,
    };
    this.#parts.set(index, part);
    if (type === 'tool_use') {
      this.#calls += 1;
      const id = text(raw['id']);
      return [{ kind: 'tool_start', index: part.call, name: text(raw['name']), ...(id !== '' && { id }) }];
    }
    return shown(type, part.text);
  }

  #delta(part: Part | undefined, delta: Json): ProviderDelta[] {
    if (!part) return [];
    switch (delta['type']) {
      case 'text_delta':
      case 'thinking_delta': {
        const piece = text(delta[delta['type'] === 'text_delta' ? 'text' : 'thinking']);
        part.text += piece;
        return shown(part.type, piece);
      }
      case 'signature_delta':
        part.signature = text(delta['signature']) || part.signature;
        return [];
      case 'input_json_delta': {
        const json = text(delta['partial_json']);
        part.json += json;
        return part.call < 0 || json === '' ? [] : [{ kind: 'tool_input', index: part.call, json }];
      }
      default:
        return [];
    }
  }

  /** Some servers give the whole input at the start and no pieces of it. */
  #end(part: Part | undefined): ProviderDelta[] {
    if (!part || part.call < 0 || part.json !== '' || Object.keys(record(part.raw['input'])).length === 0)
      return [];
    part.json = JSON.stringify(part.raw['input']);
    return [{ kind: 'tool_input', index: part.call, json: part.json }];
  }

  #block(part: Part, ids: Set<string>): Block[] {
    const provider = this.#provider;
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [{ type: 'text', text: part.text }];
      case 'thinking':
        return [
          {
            type: 'thinking',
            text: part.text,
            provider,
            ...(part.signature !== null && { signature: part.signature }),
          },
        ];
      case 'redacted_thinking':
        return [{ type: 'thinking', text: '', provider, signature: part.signature ?? '', redacted: true }];
      case 'tool_use': {
        const given = text(part.raw['id']);
        const id = given === '' || ids.has(given) ? madeUpToolId(this.#ids) : given;
        ids.add(id);
        return [{ type: 'tool_use', id, name: text(part.raw['name']), ...parseArguments(part.json) }];
      }
      default: {
        const input = part.json === '' ? {} : { input: parseArguments(part.json).input };
        return [{ type: 'opaque', provider, raw: { ...part.raw, ...input } }];
      }
    }
  }

  /** Totals, not steps: what is given replaces, what is null or missing stays. */
  #count(usage: unknown): void {
    const given = record(usage);
    const input = count(given['input_tokens']);
    const output = count(given['output_tokens']);
    const cacheRead = count(given['cache_read_input_tokens']);
    const cacheWrite = count(given['cache_creation_input_tokens']);
    if ([input, output, cacheRead, cacheWrite].every((each) => each === null)) return;
    const before = this.#usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#usage = {
      input: input ?? before.input,
      output: output ?? before.output,
      cacheRead: cacheRead ?? before.cacheRead,
      cacheWrite: cacheWrite ?? before.cacheWrite,
    };
  }
}

function shown(type: string, piece: string): ProviderDelta[] {
  if (piece === '') return [];
  if (type === 'text') return [{ kind: 'text', text: piece }];
  return type === 'thinking' ? [{ kind: 'thinking', text: piece }] : [];
}

function stopReason(reason: string, hasCalls: boolean): StopReason {
  if (reason === 'refusal') return 'refusal';
  if (reason === 'max_tokens') return 'max_tokens';
  if (reason === 'model_context_window_exceeded') return 'context_window';
  if (hasCalls) return 'tool_use';
  return reason === 'pause_turn' ? 'pause_turn' : 'end_turn';
}
