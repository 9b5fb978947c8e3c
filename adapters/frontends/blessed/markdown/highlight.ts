import { withinLines, type HighlightNode } from './code/highlight-nodes.ts';
import { line, type Line } from '../text/line.ts';

/** UTF-16 units that are coloured at a time: more would hold up the keys. */
const longestPiece = 8_192;
/** UTF-16 units of a block; what stands behind them is plain. */
const longestCode = 65_536;
/** UTF-16 units of a line; what stands in a piece with a longer one is plain. */
const longestLine = 2_000;

interface Grammars {
  registered(language: string): boolean;
  highlight(language: string, code: string): { children: readonly HighlightNode[] };
}

let grammars: Grammars | null = null;
let loading: Promise<void> | null = null;

/** Whether code is drawn in colours now; `loadHighlighter` makes it so. */
export const highlighter: { readonly ready: boolean } = {
  get ready() {
    return grammars !== null;
  },
};

/** Changes when code that was drawn before would be drawn otherwise now. */
export function highlightVersion(): number {
  return grammars === null ? 0 : 1;
}

/** Loads the grammars, which takes longer than a frame: not before the first one is on the screen. */
export function loadHighlighter(): Promise<void> {
  loading ??= import('./code/grammars.ts').then((loaded) => {
    grammars = loaded.grammars;
  });
  return loading;
}

/** Parts the lines of a block of code, from its beginning, into those that are coloured by themselves. */
export class CodePieces {
  #units = 0;
  #all = 0;

  /** Whether the next line begins a piece; null: it is too far behind to have colours. */
  begins(text: string): boolean | null {
    const isFirst = this.#all === 0;
    this.#all += text.length + 1;
    if (this.#all > longestCode) return null;
    this.#units += text.length + 1;
    if (!isFirst && this.#units <= longestPiece) return false;
    this.#units = text.length + 1;
    return true;
  }
}

/** Lines of one piece in colours; null: they are plain, as while nothing is loaded. */
export function highlightPiece(lines: readonly string[], language: string): readonly Line[] | null {
  const name = language.toLowerCase();
  if (grammars === null || !grammars.registered(name)) return null;
  if (lines.some((each) => each.length > longestLine)) return null;
  try {
    const coloured = withinLines(grammars.highlight(name, lines.join('\n')).children);
    return coloured.length === lines.length ? coloured : null;
  } catch {
    return null;
  }
}

/** Lines of code in colours, as far as they are not too many; null: all plain, as in an unknown language. */
export function highlightCode(code: string, language: string): readonly Line[] | null {
  if (grammars === null || !grammars.registered(language.toLowerCase())) return null;
  const pieces = new CodePieces();
  const drawn: Line[] = [];
  let piece: string[] = [];
  const flush = (): void => {
    drawn.push(...(highlightPiece(piece, language) ?? piece.map((text) => line(text))));
    piece = [];
  };
  for (const text of code.split('\n')) {
    const begins = pieces.begins(text);
    if (begins !== false) flush();
    if (begins === null) drawn.push(line(text));
    else piece.push(text);
  }
  flush();
  return drawn;
}
