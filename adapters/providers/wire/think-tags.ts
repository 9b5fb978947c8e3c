export interface Piece {
  kind: 'text' | 'thinking';
  text: string;
}

const open = '<think>';
const close = '</think>';

/**
 * Tells the reasoning that some models write as `<think>…</think>` at the very start of their content
 * from the rest (wire formats, sections 9 and 10), however the tags are cut. Elsewhere the tag is text;
 * one that is never closed makes all that follows reasoning.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  #held = '';

  push(piece: string): Piece[] {
    if (this.#state === 'text') return some('text', piece);
    this.#held += piece;
    if (this.#state === 'start') {
      const begin = this.#held.trimStart();
      if (begin.length < open.length && open.startsWith(begin)) return [];
      if (!begin.startsWith(open)) return this.#flush('text');
      this.#state = 'thinking';
      this.#held = begin.slice(open.length);
    }
    if (this.#state === 'thinking') return this.#thinking();
    return this.#after();
  }

  /** What was held back at the start, now that something else has come in place of a tag. */
  begun(): Piece[] {
    return this.#state === 'start' && this.#held !== '' ? this.#flush('text') : [];
  }

  /** What was held back in case a tag would come. */
  end(): Piece[] {
    if (this.#state === 'after') return [];
    return this.#flush(this.#state === 'thinking' ? 'thinking' : 'text');
  }

  #thinking(): Piece[] {
    const at = this.#held.indexOf(close);
    if (at === -1) {
      const keep = partial(this.#held);
      const ready = this.#held.slice(0, this.#held.length - keep);
      this.#held = this.#held.slice(this.#held.length - keep);
      return some('thinking', ready);
    }
    const thought = this.#held.slice(0, at);
    this.#held = this.#held.slice(at + close.length);
    this.#state = 'after';
    return [...some('thinking', thought), ...this.#after()];
  }

  #after(): Piece[] {
    this.#held = this.#held.trimStart();
    return this.#held === '' ? [] : this.#flush('text');
  }

  #flush(kind: Piece['kind']): Piece[] {
    const held = this.#held;
    this.#held = '';
    this.#state = 'text';
    return some(kind, held);
  }
}

function some(kind: Piece['kind'], text: string): Piece[] {
  return text === '' ? [] : [{ kind, text }];
}

/** How many characters at the end may be the beginning of the closing tag. */
function partial(text: string): number {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length -= 1) {
    if (close.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
