import type { Ids } from '../../../ports/clock.ts';
import type { ProviderError } from '../../../ports/errors.ts';
import type { Block, StopReason, ThinkingBlock, TextBlock, Usage } from '../../../ports/message.ts';
import type { ProviderDelta, ProviderDone } from '../../../ports/provider.ts';
import type { Reply, ReplyEvent } from '../http/protocol-provider.ts';
import { nestsTooDeep } from '../wire/arguments.ts';
import { count, list, record, text } from '../wire/json.ts';
import { madeUpToolId } from '../wire/tool-ids.ts';

type Json = Record<string, unknown>;

export interface GeminiReplyOptions {
  provider: string;
  model: string;
  ids: Ids;
  /** The error that a body, such as a server would give it, stands for. */
  errorOf(body: unknown): ProviderError;
}

/**
 * Puts an answer of `streamGenerateContent` together, event by event (wire formats, section 8,
 * "Stream"). `take` returns what is to be shown; `done` is the answer once `complete`, or throws what
 * the server says went wrong with it.
 */
export class GeminiReply implements Reply {
  readonly #options: GeminiReplyOptions;
  readonly #blocks: Block[] = [];
  readonly #callIds = new Set<string>();
  #usage: Usage | null = null;
  /** Of the requests before the one that is being answered. */
  #usageBefore: Usage | null = null;
  #finish = '';
  #finishMessage = '';
  #blocked = '';
  #failure: Json | null = null;

  constructor(options: GeminiReplyOptions) {
    this.#options = options;
  }

  get complete(): boolean {
    return this.#finish !== '' || this.#blocked !== '' || this.#failure !== null;
  }

  take(event: ReplyEvent): ProviderDelta[] {
    return chunksOf(event).flatMap((chunk) => this.#chunk(chunk));
  }

  rest(): ProviderDelta[] {
    return [];
  }

  done(): ProviderDone {
    if (this.#failure) throw this.#options.errorOf(this.#failure);
    if (badCalls.has(this.#finish)) {
      const message = this.#finishMessage || `the model's call could not be used (${this.#finish})`;
      throw this.#options.errorOf({ error: { code: 'tool_use_failed', message } });
    }
    if (this.#finish === 'MISSING_THOUGHT_SIGNATURE') {
      throw this.#options.errorOf({ error: { message: 'the conversation is missing a thought_signature' } });
    }
    return {
      kind: 'done',
      message: { role: 'assistant', model: this.#options.model, blocks: this.#blocks },
      usage: sum(this.#usageBefore, this.#usage),
      stopReason: this.#stopReason(),
    };
  }

  #chunk(chunk: Json): ProviderDelta[] {
    if (chunk['error']) this.#failure ??= chunk;
    this.#usage = usageOf(record(chunk['usageMetadata'])) ?? this.#usage;
    this.#blocked = text(record(chunk['promptFeedback'])['blockReason']) || this.#blocked;
    const candidate = list(chunk['candidates'])
      .map(record)
      .find((each) => (each['index'] ?? 0) === 0);
    if (!candidate) return [];
    const finish = text(candidate['finishReason']);
    if (finish === 'CONTINUATION') {
      // Another request goes on with the answer, and counts anew.
      this.#usageBefore = sum(this.#usageBefore, this.#usage);
      this.#usage = null;
    } else this.#finish = finish || this.#finish;
    this.#finishMessage = text(candidate['finishMessage']) || this.#finishMessage;
    return list(record(candidate['content'])['parts'])
      .map(record)
      .flatMap((part) => this.#part(part));
  }

  #part(part: Json): ProviderDelta[] {
    const signature = text(part['thoughtSignature']) || null;
    if (part['functionCall']) return this.#call(record(part['functionCall']), signature);
    const keys = Object.keys(part).filter(
      (key) => part[key] !== null && key !== 'thought' && key !== 'thoughtSignature',
    );
    if (typeof part['text'] === 'string' || keys.length === 0) {
      return this.#words(part['thought'] === true ? 'thinking' : 'text', text(part['text']), signature);
    }
    this.#blocks.push({ type: 'opaque', provider: this.#options.provider, raw: part });
    return [];
  }

  /** A signed part stays a block of its own; others are joined. */
  #words(type: 'text' | 'thinking', words: string, signature: string | null): ProviderDelta[] {
    const { provider } = this.#options;
    const last = this.#blocks.at(-1);
    if (signature === null && last?.type === type && last.signature === undefined) last.text += words;
    else if (signature !== null || words !== '') {
      const block: TextBlock | ThinkingBlock =
        type === 'text' ? { type, text: words } : { type, text: words, provider };
      this.#blocks.push(signature === null ? block : { ...block, signature, provider });
    }
    return words === '' ? [] : [{ kind: type, text: words }];
  }

  #call(call: Json, signature: string | null): ProviderDelta[] {
    const given = text(call['id']);
    // Two calls of one id could not be answered apart.
    const id = given === '' || this.#callIds.has(given) ? madeUpToolId(this.#options.ids) : given;
    const index = this.#callIds.size;
    this.#callIds.add(id);
    const name = text(call['name']);
    const input = call['args'] ?? {};
    this.#blocks.push({
      type: 'tool_use',
      id,
      name,
      input,
      ...(signature !== null && { signature, provider: this.#options.provider }),
    });
    return [
      { kind: 'tool_start', index, name, ...(id === given && { id }) },
      { kind: 'tool_input', index, json: JSON.stringify(input) },
    ];
  }

  #stopReason(): StopReason {
    if (this.#blocked !== '' || refusals.test(this.#finish)) return 'refusal';
    if (this.#finish === 'MAX_TOKENS') return 'max_tokens';
    return this.#callIds.size > 0 ? 'tool_use' : 'end_turn';
  }
}

/** The objects of an event: one, or those of a list, which is how this API answers that was not asked for events. */
function chunksOf({ data, json }: ReplyEvent): Json[] {
  if (!data.trimStart().startsWith('[') || nestsTooDeep(data)) return [json];
  try {
    return list(JSON.parse(data)).map(record);
  } catch {
    // Broken off: without its end the answer counts as cut off.
    return [];
  }
}

const badCalls = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

const refusals =
  /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|OTHER|NO_IMAGE|IMAGE_\w+)$/;

/** What is missing is none; null where nothing is counted. */
function usageOf(usage: Json): Usage | null {
  const counts = [
    'promptTokenCount',
    'toolUsePromptTokenCount',
    'cachedContentTokenCount',
    'candidatesTokenCount',
    'thoughtsTokenCount',
  ].map((name) => count(usage[name]));
  if (counts.every((each) => each === null)) return null;
  const [prompt = 0, toolUse = 0, cached = 0, answer = 0, thoughts = 0] = counts.map((each) => each ?? 0);
  return {
    input: Math.max(0, prompt + toolUse - cached),
    output: answer + thoughts,
    cacheRead: cached,
    cacheWrite: 0,
  };
}

function sum(a: Usage | null, b: Usage | null): Usage | null {
  if (a === null || b === null) return a ?? b;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}
