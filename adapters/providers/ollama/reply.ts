import type { Ids } from '../../../ports/clock.ts';
import type { Block, StopReason, ToolUseBlock, Usage } from '../../../ports/message.ts';
import type { ProviderDelta, ProviderDone } from '../../../ports/provider.ts';
import type { Reply, ReplyEvent } from '../http/protocol-provider.ts';
import { type CallInput, parseArguments } from '../wire/arguments.ts';
import { count, list, record, text } from '../wire/json.ts';
import type { SseEvent } from '../wire/sse.ts';
import { type Piece, ThinkTags } from '../wire/think-tags.ts';
import { madeUpToolId } from '../wire/tool-ids.ts';

type Json = Record<string, unknown>;

/** Puts an answer of `/api/chat` together, line by line (wire formats, section 9, "Stream"). */
export class OllamaReply implements Reply {
  readonly #provider: string;
  readonly #model: string;
  readonly #ids: Ids;
  readonly #tags = new ThinkTags();
  readonly #calls: ToolUseBlock[] = [];
  #thinking = '';
  #text = '';
  #last: Json | null = null;

  constructor(provider: string, model: string, ids: Ids) {
    this.#provider = provider;
    this.#model = model;
    this.#ids = ids;
  }

  get complete(): boolean {
    return this.#last !== null;
  }

  take({ json }: ReplyEvent): ProviderDelta[] {
    const message = record(json['message']);
    if (json['done'] === true) this.#last ??= json;
    const shown = this.#show([
      { kind: 'thinking', text: text(message['thinking']) },
      ...this.#tags.push(text(message['content'])),
    ]);
    const calls = list(message['tool_calls']).flatMap((call) => this.#call(record(call)));
    return [...shown, ...(calls.length > 0 ? this.#show(this.#tags.begun()) : []), ...calls];
  }

  rest(): ProviderDelta[] {
    return this.#show(this.#tags.end());
  }

  done(): ProviderDone {
    const blocks: Block[] = [];
    if (this.#thinking !== '')
      blocks.push({ type: 'thinking', text: this.#thinking, provider: this.#provider });
    if (this.#text !== '') blocks.push({ type: 'text', text: this.#text });
    blocks.push(...this.#calls);
    return {
      kind: 'done',
      message: { role: 'assistant', model: this.#model, blocks },
      usage: usageOf(this.#last ?? {}),
      stopReason: this.#stopReason(),
    };
  }

  /** A call comes whole. */
  #call(call: Json): ProviderDelta[] {
    const called = record(call['function']);
    const name = text(called['name']);
    if (name === '') return [];
    const given = text(call['id']);
    const known = given !== '' && !this.#calls.some(({ id }) => id === given);
    const { json, ...input } = inputOf(called['arguments']);
    const index = this.#calls.length;
    const id = known ? given : madeUpToolId(this.#ids);
    this.#calls.push({ type: 'tool_use', id, name, ...input });
    return [
      { kind: 'tool_start', index, name, ...(known && { id }) },
      ...(json === '' ? [] : [{ kind: 'tool_input' as const, index, json }]),
    ];
  }

  #show(pieces: readonly Piece[]): ProviderDelta[] {
    const some = pieces.filter((piece) => piece.text !== '');
    for (const piece of some) {
      if (piece.kind === 'text') this.#text += piece.text;
      else this.#thinking += piece.text;
    }
    return some;
  }

  #stopReason(): StopReason {
    if (this.#last?.['done_reason'] === 'length') return 'max_tokens';
    return this.#calls.length > 0 ? 'tool_use' : 'end_turn';
  }
}

/** Arguments are an object; some servers in between send the text of one. */
function inputOf(given: unknown): CallInput & { json: string } {
  if (typeof given === 'string') return { ...parseArguments(given), json: given };
  const input = given ?? {};
  return { input, json: JSON.stringify(input) };
}

function usageOf(last: Json): Usage | null {
  const [input, output] = [count(last['prompt_eval_count']), count(last['eval_count'])];
  const hasAnswered = !['load', 'unload'].includes(text(last['done_reason']));
  if (!hasAnswered || (input === null && output === null)) return null;
  return { input: input ?? 0, output: output ?? 0, cacheRead: 0, cacheWrite: 0 };
}

/** The line after which the server ends the body. A call's arguments may have a field of this name, too. */
export function isDoneLine({ data }: SseEvent): boolean {
  if (!/"done"\s*:\s*true/.test(data)) return false;
  try {
    return record(JSON.parse(data))['done'] === true;
  } catch {
    return false;
  }
}
