import type { SseEvent } from './sse.ts';

/** Characters that one line may have; no model sends as much, a broken server might. */
const lineLimit = 64 * 1024 * 1024;

/**
 * Decodes lines of JSON (wire formats, section 3): UTF-8 across chunks, lines that end with LF or CRLF,
 * blank ones left out, the last one without an end. A line that does not begin like an object is no
 * event, so that a web page has none.
 */
export class NdjsonDecoder {
  readonly #utf8 = new TextDecoder();
  /** The pieces of a line that goes on. */
  #held: string[] = [];
  #size = 0;

  /** The lines that are complete with these bytes. */
  push(bytes: Uint8Array): SseEvent[] {
    const [first = '', ...others] = this.#utf8.decode(bytes, { stream: true }).split('\n');
    this.#hold(first);
    const events: SseEvent[] = [];
    for (const next of others) {
      events.push(...this.#release());
      this.#hold(next);
    }
    return events;
  }

  /** The last line, if the stream ended without an end of it. */
  end(): SseEvent[] {
    this.#hold(this.#utf8.decode());
    return this.#release();
  }

  #hold(piece: string): void {
    this.#held.push(piece);
    this.#size += piece.length;
    if (this.#size > lineLimit) throw new RangeError('One line of the stream is too large');
  }

  #release(): SseEvent[] {
    const line = this.#held.join('').trim();
    this.#held = [];
    this.#size = 0;
    return line.startsWith('{') ? [{ event: null, data: line }] : [];
  }
}

/** The lines of a body as they become complete: those of one chunk together. */
export async function* decodeNdjson(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SseEvent[], void, undefined> {
  const decoder = new NdjsonDecoder();
  for await (const chunk of chunks) {
    const events = decoder.push(chunk);
    if (events.length > 0) yield events;
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}
