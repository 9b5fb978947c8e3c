import { visibleLine } from '../../../../domain/text/terminal/visible-text.ts';
import { cellsOf } from './cells.ts';

/** A grapheme as it stands in the input; always at least one cell. */
export interface ShownGrapheme {
  text: string;
  cells: number;
}

const plain = /^[\u0020-\u007e]$/;
const plainWide = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;
const blank = /^\p{Zs}$/u;
/** What may join or vary characters within a grapheme without hiding anything. */
const joining = /\u200c|\u200d|\ufe0e|\ufe0f/g;
/** Flags of regions: a black flag, and letters as tags. */
const flag = /^\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]+\u{e007f}$/u;
const tab: ShownGrapheme = { text: '    ', cells: 4 };
/** More than this of one character is a disguise, not a letter with its marks. */
const longest = 32;

/** So many graphemes are kept with what they are shown as. */
const mostKnown = 4096;
const known = new Map<string, ShownGrapheme>();

function escapeOf(grapheme: string): string {
  const signs = grapheme.length > longest ? grapheme : visibleLine(grapheme);
  if (signs !== grapheme) return signs;
  const first = String.fromCodePoint(grapheme.codePointAt(0) ?? 0);
  return `\\u{${(first.codePointAt(0) ?? 0).toString(16)}}${first === grapheme ? '' : '+'}`;
}

function shown(grapheme: string): ShownGrapheme {
  const cells = cellsOf(grapheme);
  if (blank.test(grapheme)) return { text: ' '.repeat(cells), cells };
  if (cells > 0 && grapheme.length <= longest) {
    const rest = grapheme.replaceAll(joining, '');
    if (flag.test(grapheme) || (rest !== '' && visibleLine(rest) === rest)) return { text: grapheme, cells };
  }
  const text = escapeOf(grapheme);
  return { text, cells: cellsOf(text) };
}

/**
 * A tab is four blanks; what shows nothing, or turns round what stands beside it, is an escape, so that
 * a paste cannot hide a part of what is sent.
 */
export function shownGrapheme(grapheme: string): ShownGrapheme {
  if (plain.test(grapheme)) return { text: grapheme, cells: 1 };
  if (plainWide.test(grapheme)) return { text: grapheme, cells: 2 };
  if (grapheme === '\t') return tab;
  const before = known.get(grapheme);
  if (before !== undefined) return before;
  const now = shown(grapheme);
  if (grapheme.length > longest) return now;
  if (known.size >= mostKnown) known.clear();
  known.set(grapheme, now);
  return now;
}
