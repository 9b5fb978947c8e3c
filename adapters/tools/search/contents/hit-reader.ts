import { join } from 'node:path';
import { nameFromBytes } from '../../../../domain/text/file-name.ts';
import type { FileHits, HitLine } from './hits.ts';

/** Characters of one line of ripgrep's output that are kept; a file's line can be as long as the file. */
const longestLine = 4_000_000;

interface Text {
  text?: string;
  bytes?: string;
}

interface RipgrepEvent {
  type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  data: {
    path?: Text | null;
    lines?: Text;
    line_number?: number | null;
    submatches?: { start: number }[];
    binary_offset?: number | null;
    stats?: { matched_lines?: number };
  };
}

/** Reads what `rg --json` prints, in whatever pieces it comes, into hits by file. */
export class HitReader {
  readonly #base: string;
  readonly #most: number;
  /** What was printed besides: errors. */
  readonly messages: string[] = [];
  #rest = '';
  #overlong = false;
  #lines: HitLine[] = [];
  #matches = 0;

  /** Paths are relative to `base`; of a file at most `most` matching lines are kept. */
  constructor(base: string, most: number) {
    this.#base = base;
    this.#most = most;
  }

  /** The files that are complete with this piece. */
  push(piece: string): FileHits[] {
    const lines = piece.split('\n');
    const found: FileHits[] = [];
    for (const [at, part] of lines.entries()) {
      this.#keep(part);
      if (at === lines.length - 1) break;
      const line = this.#rest;
      const whole = !this.#overlong;
      this.#rest = '';
      this.#overlong = false;
      const hits = whole ? this.#take(line) : this.#takeOverlong();
      if (hits) found.push(hits);
    }
    return found;
  }

  #keep(part: string): void {
    if (this.#rest.length + part.length <= longestLine) this.#rest += part;
    else this.#overlong = true;
  }

  #takeOverlong(): null {
    this.#lines.push({ number: null, text: '[a line that is too long to show]', isMatch: true });
    return null;
  }

  #take(line: string): FileHits | null {
    const event = parsed(line);
    if (event === null) {
      if (line.trim() !== '') this.messages.push(line);
      return null;
    }
    const { data } = event;
    switch (event.type) {
      case 'begin':
        this.#lines = [];
        this.#matches = 0;
        return null;
      case 'match':
      case 'context':
        this.#addLines(event);
        return null;
      case 'end': {
        const isBinary = data.binary_offset !== null && data.binary_offset !== undefined;
        const path = data.path ? join(this.#base, textOf(data.path)) : null;
        const count = data.stats?.matched_lines ?? this.#matches;
        if (isBinary || path === null || count === 0) return null;
        return { path, lines: this.#lines, count };
      }
      case 'summary':
        return null;
      default: {
        const never: never = event.type;
        return never;
      }
    }
  }

  #addLines({ type, data }: RipgrepEvent): void {
    const isMatch = type === 'match';
    if (this.#matches >= this.#most && isMatch) return;
    const whole = data.lines ? textOf(data.lines) : '';
    const start = data.submatches?.[0]?.start ?? 0;
    const texts = whole.replace(/\r?\n$/, '').split(/\r?\n/);
    for (const [at, text] of texts.entries()) {
      const number = typeof data.line_number === 'number' ? data.line_number + at : null;
      const column = at === 0 && isMatch ? Buffer.from(whole).toString('utf8', 0, start).length : 0;
      this.#lines.push({ number, text, isMatch, at: column });
      if (isMatch) this.#matches += 1;
    }
  }
}

function parsed(line: string): RipgrepEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as RipgrepEvent;
  } catch {
    return null;
  }
}

function textOf({ text, bytes }: Text): string {
  return text ?? nameFromBytes(Buffer.from(bytes ?? '', 'base64'));
}
