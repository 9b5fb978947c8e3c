/** One server-sent event; `event` is null when the server gave it no name. */
export interface SseEvent {
  event: string | null;
  data: string;
}

/** Characters that one event may have; no model sends as much, a broken server might. */
const eventLimit = 64 * 1024 * 1024;

/** What a line costs beside its characters, so that empty ones are limited too. */
const lineCost = 16;

/**
 * Decodes server-sent events (wire formats, section 3): UTF-8 across chunks, one byte order mark,
 * lines that end with LF, CRLF or CR, comments, several data lines, no blank after the colon.
 * Events without data are left out.
 */
export class SseDecoder {
  readonly #utf8 = new TextDecoder();
  #rest = '';
  /** The rest ends with a CR, which may be half of a CRLF. */
  #heldCr = false;
  #event: string | null = null;
  #data: string[] = [];
  #size = 0;

  /** The events that are complete with these bytes. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#utf8.decode(bytes, { stream: true }), false);
  }

  /** The last event, if the stream ended without a blank line after it. */
  end(): SseEvent[] {
    const events = this.#take(this.#utf8.decode(), true);
    const last = this.#dispatch();
    return last ? [...events, last] : events;
  }

  #take(text: string, final: boolean): SseEvent[] {
    // A line that goes on is only joined: one that is long and comes in small pieces is looked at once.
    if (!final && !this.#heldCr && !/[\r\n]/.test(text)) {
      this.#rest += text;
      this.#limit();
      return [];
    }
    const events: SseEvent[] = [];
    let all = this.#rest + text;
    // A CR at the end may be half of a CRLF, so it waits for what comes next.
    if (final && all !== '' && !/[\r\n]$/.test(all)) all += '\n';
    const hasCr = all.includes('\r');
    let from = 0;
    for (;;) {
      const end = hasCr ? lineEnd(all, from) : all.indexOf('\n', from);
      if (end === -1 || (end === all.length - 1 && all[end] === '\r' && !final)) break;
      const event = this.#line(all.slice(from, end));
      if (event) events.push(event);
      from = end + (all[end] === '\r' && all[end + 1] === '\n' ? 2 : 1);
    }
    this.#rest = all.slice(from);
    this.#heldCr = this.#rest.endsWith('\r');
    this.#limit();
    return events;
  }

  #limit(): void {
    if (this.#rest.length + this.#size > eventLimit)
      throw new RangeError('One event of the stream is too large');
  }

  #line(line: string): SseEvent | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#event = value;
    if (field === 'data') {
      this.#data.push(value);
      this.#size += value.length + lineCost;
    }
    return null;
  }

  #dispatch(): SseEvent | null {
    const data = this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n');
    const event = this.#event;
    this.#event = null;
    this.#data = [];
    this.#size = 0;
    return data === '' ? null : { event, data };
  }
}

function lineEnd(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  if (lf === -1) return cr;
  return cr === -1 ? lf : Math.min(lf, cr);
}

/** Bytes that are decoded at a time: whoever takes the events can do something else between them. */
const mostDecoded = 32_768;

/** The events of a body as they become complete: those of one chunk, or of a part of a large one, together. */
export async function* decodeSse(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SseEvent[], void, undefined> {
  const decoder = new SseDecoder();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += mostDecoded) {
      const events = decoder.push(chunk.subarray(at, at + mostDecoded));
      if (events.length > 0) yield events;
    }
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}
