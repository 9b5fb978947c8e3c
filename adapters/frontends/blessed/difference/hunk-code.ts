import type { Line, Style } from '../text/line.ts';
import { changedWords, linePairs, type TextRange } from './changed-words.ts';
import { CodeColours } from './code-colours.ts';
import type { ChangedLine } from './difference.ts';
import { styledCode } from './styled-code.ts';

/** What lies behind lines of each kind, and behind the words in them that changed. */
export const lineStyles: Readonly<Record<ChangedLine['kind'], Style>> = {
  same: {},
  added: { ground: 'added' },
  removed: { ground: 'removed' },
};
const wordStyles: typeof lineStyles = {
  same: {},
  added: { ground: 'addedWord' },
  removed: { ground: 'removedWord' },
};

/** Lines of a hunk with the colours of both texts, and the words that changed; found when they are seen. */
export class HunkCode {
  readonly #lines: readonly ChangedLine[];
  readonly #language: string | null;
  readonly #pairs: ReadonlyMap<number, number>;
  /** For each line its index among those of its own text: the old one for what was removed. */
  readonly #places: number[] = [];
  #colours: { old: CodeColours; new: CodeColours } | null = null;

  constructor(lines: readonly ChangedLine[], language: string | null) {
    this.#lines = lines;
    this.#language = language;
    this.#pairs = linePairs(lines);
    let [old, fresh] = [0, 0];
    for (const { kind } of lines) {
      this.#places.push(kind === 'removed' ? old : fresh);
      if (kind !== 'added') old += 1;
      if (kind !== 'removed') fresh += 1;
    }
  }

  /** The text of a line, with its styles, however wide. */
  line(index: number): Line {
    const line = this.#lines[index];
    if (line === undefined) return [];
    const { kind, text } = line;
    return styledCode(text, this.#colour(index), this.#words(index), lineStyles[kind], wordStyles[kind]);
  }

  #colour(index: number): Line | null {
    if (this.#language === null) return null;
    const textsOf = (without: ChangedLine['kind']): string[] =>
      this.#lines.filter(({ kind }) => kind !== without).map(({ text }) => text);
    this.#colours ??= {
      old: new CodeColours(textsOf('added'), this.#language),
      new: new CodeColours(textsOf('removed'), this.#language),
    };
    const side = this.#lines[index]?.kind === 'removed' ? this.#colours.old : this.#colours.new;
    return side.at(this.#places[index] ?? -1);
  }

  #words(index: number): readonly TextRange[] {
    const line = this.#lines[index];
    const other = this.#lines[this.#pairs.get(index) ?? -1];
    if (line === undefined || other === undefined) return [];
    return line.kind === 'removed'
      ? (changedWords(line.text, other.text)?.old ?? [])
      : (changedWords(other.text, line.text)?.new ?? []);
  }
}
