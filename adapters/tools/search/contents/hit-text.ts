import { byteLength } from '../../../../domain/text/cut.ts';
import { shownPath } from '../../common/shown-path.ts';
import type { FileHits, HitLine, Search } from './hits.ts';
import { hitCharacters } from '../limits.ts';

/** Collects hits as text until there are as many as were asked for, or no more room. */
export class HitText {
  readonly #mode: Search['mode'];
  readonly #cwd: string;
  readonly #lines: string[] = [];
  readonly #most: number;
  #room: number;
  #hits = 0;
  /** Something was found that is not in the text. */
  cut = false;

  constructor(mode: Search['mode'], most: number, bytes: number, cwd: string) {
    this.#mode = mode;
    this.#most = most;
    this.#room = bytes;
    this.#cwd = cwd;
  }

  get hits(): number {
    return this.#hits;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** False once nothing more is taken. */
  add({ path, lines, count }: FileHits): boolean {
    const shown = shownPath(path, this.#cwd);
    switch (this.#mode) {
      case 'files_with_matches':
        return this.#put(shown, true);
      case 'count':
        return this.#put(`${shown}:${count}`, true);
      case 'content':
        return this.#addLines(shown, lines);
      default: {
        const never: never = this.#mode;
        return never;
      }
    }
  }

  #addLines(shown: string, lines: readonly HitLine[]): boolean {
    const hasContext = lines.some((line) => !line.isMatch);
    let last: number | null = null;
    for (const line of lines) {
      const number = line.number ?? 0;
      const isGap = hasContext && this.#lines.length > 0 && (last === null || number > last + 1);
      if (isGap && !this.#put('--', false)) return false;
      last = number;
      const mark = line.isMatch ? ':' : '-';
      const where = line.number === null ? '?' : String(line.number);
      if (!this.#put(`${shown}${mark}${where}${mark}${cutLine(line)}`, line.isMatch)) return false;
    }
    return true;
  }

  #put(line: string, isHit: boolean): boolean {
    const bytes = byteLength(line) + 1;
    if ((isHit && this.#hits >= this.#most) || bytes > this.#room) {
      this.cut = true;
      return false;
    }
    this.#room -= bytes;
    this.#lines.push(line);
    if (isHit) this.#hits += 1;
    return true;
  }
}

/** A long line around its match. */
function cutLine({ text, at = 0 }: HitLine): string {
  if (text.length <= hitCharacters) return text;
  const start = at > hitCharacters - 100 ? at - 100 : 0;
  const part = text.slice(start, start + hitCharacters).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + hitCharacters < text.length ? '…' : ''}`;
}
