import type { Ids } from '../../../ports/clock.ts';
import type { StopReason, Usage } from '../../../ports/message.ts';
import type { ProviderDelta, ProviderDone } from '../../../ports/provider.ts';
import type { Reply, ReplyEvent } from '../http/protocol-provider.ts';
import { count, list, numberOr, record, text } from '../wire/json.ts';
import { isWhole, typeOf } from './events.ts';
import { argumentsOf, blocksOf, isRefusal, textOf, thinkingOf } from './items.ts';

type Json = Record<string, unknown>;

/** An item of the output while it streams. */
interface Draft {
  /** Text or thinking of it has been shown. */
  shown: boolean;
  /** Counts the calls of the message; null for what is no call that was shown. */
  call: number | null;
  /** Argument text so far. */
  input: string;
}

/**
 * Puts the answer of the Responses API together, event by event (wire formats, section 7, "Events").
 * `take` returns what is to be shown; `done` is the answer once it is `complete`.
 */
export class ResponsesReply implements Reply {
  readonly #provider: string;
  readonly #model: string;
  readonly #ids: Ids;
  readonly #drafts = new Map<number, Draft>();
  /** Places of items at servers that give ids instead. */
  readonly #places = new Map<string, number>();
  /** The finished items by their place in the output. */
  readonly #items = new Map<number, Json>();
  #calls = 0;
  #usage: Usage | null = null;
  /** Why the answer is incomplete; empty for one that is whole. */
  #incomplete = '';
  complete = false;

  constructor(provider: string, model: string, ids: Ids) {
    this.#provider = provider;
    this.#model = model;
    this.#ids = ids;
  }

  take(event: ReplyEvent): ProviderDelta[] {
    const { json } = event;
    const at = this.#place(json);
    switch (typeOf(event)) {
      case 'response.output_item.added':
        return this.#start(at, record(json['item']));
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#show(at, 'text', json['delta']);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#show(at, 'thinking', json['delta']);
      case 'response.reasoning_summary_part.added':
        return numberOr(json['summary_index'], 0) > 0 ? this.#show(at, 'thinking', '\n\n') : [];
      case 'response.function_call_arguments.delta':
        return this.#input(at, text(json['delta']));
      case 'response.function_call_arguments.done':
        return this.#lateInput(at, json['arguments']);
      case 'response.output_item.done':
        return this.#finish(at, record(json['item']));
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(record(json['response']));
      default:
        return isWhole(json) ? this.#end(json) : [];
    }
  }

  rest(): ProviderDelta[] {
    return [];
  }

  done(): ProviderDone {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const blocks = blocksOf(items, this.#provider, this.#ids);
    return {
      kind: 'done',
      message: { role: 'assistant', model: this.#model, blocks },
      usage: this.#usage,
      stopReason: this.#stopReason(
        items.some(isRefusal),
        blocks.some(({ type }) => type === 'tool_use'),
      ),
    };
  }

  /** Where in the output the item stands that an event is about. */
  #place(event: Json): number {
    const given = count(event['output_index']);
    if (given !== null) return given;
    const item = record(event['item']);
    const id = text(event['item_id']) || text(item['id']) || text(item['call_id']);
    if (id === '') return Math.max(0, this.#places.size - 1);
    const place = this.#places.get(id) ?? this.#places.size;
    this.#places.set(id, place);
    return place;
  }

  #draft(at: number): Draft {
    const draft = this.#drafts.get(at) ?? { shown: false, call: null, input: '' };
    this.#drafts.set(at, draft);
    return draft;
  }

  #start(at: number, item: Json): ProviderDelta[] {
    const draft = this.#draft(at);
    if (item['type'] !== 'function_call' || draft.call !== null) return [];
    draft.call = this.#calls;
    this.#calls += 1;
    const id = text(item['call_id']);
    return [{ kind: 'tool_start', index: draft.call, name: text(item['name']), ...(id !== '' && { id }) }];
  }

  #show(at: number, kind: 'text' | 'thinking', delta: unknown): ProviderDelta[] {
    const piece = text(delta);
    if (piece === '') return [];
    this.#draft(at).shown = true;
    return [{ kind, text: piece }];
  }

  #input(at: number, json: string): ProviderDelta[] {
    const draft = this.#draft(at);
    if (draft.call === null || json === '') return [];
    draft.input += json;
    return [{ kind: 'tool_input', index: draft.call, json }];
  }

  /** The arguments as a whole, which some servers give without having streamed them. */
  #lateInput(at: number, whole: unknown): ProviderDelta[] {
    return this.#draft(at).input === '' ? this.#input(at, argumentsOf(whole)) : [];
  }

  /** What of a finished item was not shown while it streamed. */
  #finish(at: number, item: Json): ProviderDelta[] {
    if (text(item['type']) === '') return [];
    this.#items.set(at, this.#withInput(at, item));
    const late = this.#draft(at).shown
      ? []
      : [...this.#show(at, 'thinking', thinkingOf(item)), ...this.#show(at, 'text', textOf(item))];
    return [...late, ...this.#start(at, item), ...this.#lateInput(at, item['arguments'])];
  }

  /** Some servers stream the arguments and leave them out of the finished item. */
  #withInput(at: number, item: Json): Json {
    const { input } = this.#draft(at);
    const isBare = item['type'] === 'function_call' && argumentsOf(item['arguments']).trim() === '';
    return isBare && input !== '' ? { ...item, arguments: input } : item;
  }

  #end(response: Json): ProviderDelta[] {
    this.complete = true;
    this.#usage = usageOf(response['usage']);
    this.#incomplete = text(record(response['incomplete_details'])['reason']);
    // The list is empty at some servers; at others it alone has the items, or those that were cut off.
    const output = list(response['output']).map(record);
    if (output.length <= this.#items.size) return [];
    this.#items.clear();
    return output.flatMap((item, at) => this.#finish(at, item));
  }

  #stopReason(refused: boolean, hasCalls: boolean): StopReason {
    if (refused || this.#incomplete === 'content_filter') return 'refusal';
    if (this.#incomplete === 'max_output_tokens') return 'max_tokens';
    return hasCalls ? 'tool_use' : 'end_turn';
  }
}

function usageOf(value: unknown): Usage | null {
  const usage = record(value);
  const input = count(usage['input_tokens']);
  const output = count(usage['output_tokens']);
  if (input === null && output === null) return null;
  const details = record(usage['input_tokens_details']);
  const cacheRead = count(details['cached_tokens']) ?? 0;
  const cacheWrite = count(details['cache_write_tokens']) ?? 0;
  return {
    input: Math.max(0, (input ?? 0) - cacheRead - cacheWrite),
    output: output ?? 0,
    cacheRead,
    cacheWrite,
  };
}
