import type { Ids } from '../../../ports/clock.ts';
import type { Block, StopReason, Usage } from '../../../ports/message.ts';
import type { ProviderDelta, ProviderDone } from '../../../ports/provider.ts';
import { count, list, record, text } from '../wire/json.ts';
import type { Reply, ReplyEvent } from '../http/protocol-provider.ts';
import type { SseEvent } from '../wire/sse.ts';
import { ReasoningDetails } from './reasoning-details.ts';
import { type Piece, ThinkTags } from '../wire/think-tags.ts';
import { ToolCalls } from './tool-calls.ts';

type Json = Record<string, unknown>;

/**
 * Puts a Chat Completions answer together, chunk by chunk (wire formats, section 10, "Reading").
 * `take` returns what is to be shown; `done` is the answer, once it is `complete`.
 */
export class ChatReply implements Reply {
  readonly #provider: string;
  readonly #model: string;
  readonly #tags = new ThinkTags();
  readonly #details = new ReasoningDetails();
  readonly #calls: ToolCalls;
  #thinking = '';
  #text = '';
  #usage: Usage | null = null;
  #finish = '';
  #refused = false;
  #ended = false;

  constructor(provider: string, model: string, ids: Ids) {
    this.#provider = provider;
    this.#model = model;
    this.#calls = new ToolCalls(ids);
  }

  /** The server has said that the answer ends. */
  get complete(): boolean {
    return this.#ended || this.#finish !== '';
  }

  take(event: ReplyEvent): ProviderDelta[] {
    this.#ended ||= isDone(event);
    const chunk = event.json;
    const choices = list(chunk['choices'])
      .map(record)
      .filter((each) => (each['index'] ?? 0) === 0);
    const usage = [
      chunk['usage'],
      record(chunk['x_groq'])['usage'],
      ...choices.map((choice) => choice['usage']),
    ].map(usageOf);
    this.#usage = usage.find((each) => each !== null) ?? this.#usage;
    return choices.flatMap((choice) => {
      this.#finish = text(choice['finish_reason']) || this.#finish;
      // An answer that was not streamed has a message in place of the delta.
      return this.#delta(record(choice['delta'] ?? choice['message']));
    });
  }

  rest(): ProviderDelta[] {
    return this.#show(this.#tags.end());
  }

  done(): ProviderDone {
    const provider = this.#provider;
    const blocks: Block[] = [];
    if (this.#thinking !== '') blocks.push({ type: 'thinking', text: this.#thinking, provider });
    const details = this.#details.list();
    if (details.length > 0) blocks.push({ type: 'opaque', provider, raw: { reasoning_details: details } });
    if (this.#text !== '') blocks.push({ type: 'text', text: this.#text });
    blocks.push(...this.#calls.blocks());
    return {
      kind: 'done',
      message: { role: 'assistant', model: this.#model, blocks },
      usage: this.#usage,
      stopReason: this.#stopReason(),
    };
  }

  #delta(delta: Json): ProviderDelta[] {
    const reasoning = text(delta['reasoning_content']) || text(delta['reasoning']);
    this.#details.take(delta['reasoning_details']);
    const refusal = text(delta['refusal']);
    this.#refused ||= refusal !== '';
    const shown = this.#show([
      { kind: 'thinking', text: reasoning },
      ...this.#content(delta['content']),
      { kind: 'text', text: refusal },
    ]);
    const calls = this.#calls.take(delta['tool_calls']);
    return [...shown, ...(calls.length > 0 ? this.#show(this.#tags.begun()) : []), ...calls];
  }

  #content(content: unknown): Piece[] {
    if (typeof content === 'string') return this.#tags.push(content);
    return list(content)
      .map(record)
      .flatMap((part): Piece[] => {
        if (part['type'] === 'text') return this.#tags.push(text(part['text']));
        const thoughts = list(part['thinking']).map((each) => text(record(each)['text']));
        return [{ kind: 'thinking', text: thoughts.join('') || text(part['thinking']) }];
      });
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
    if (this.#refused || this.#finish === 'content_filter') return 'refusal';
    if (this.#finish === 'length') return 'max_tokens';
    if (this.#finish === 'model_length') return 'context_window';
    return this.#calls.size > 0 ? 'tool_use' : 'end_turn';
  }
}

/** The sentinel after the last chunk. */
export function isDone({ data }: SseEvent): boolean {
  return data.startsWith('[DONE]');
}

function usageOf(value: unknown): Usage | null {
  const usage = record(value);
  const prompt = count(usage['prompt_tokens']);
  const completion = count(usage['completion_tokens']);
  if (prompt === null && completion === null) return null;
  const details = record(usage['prompt_tokens_details']);
  const cacheRead =
    count(details['cached_tokens']) ??
    count(usage['prompt_cache_hit_tokens']) ??
    count(usage['cached_tokens']) ??
    0;
  const cacheWrite = count(details['cache_write_tokens']) ?? 0;
  const reasoning = count(record(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0;
  // Some servers do not count reasoning among the completion's tokens; their total tells.
  const apart = reasoning > 0 && usage['total_tokens'] === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return {
    input: Math.max(0, (prompt ?? 0) - cacheRead - cacheWrite),
    output: (completion ?? 0) + (apart ? reasoning : 0),
    cacheRead,
    cacheWrite,
  };
}
