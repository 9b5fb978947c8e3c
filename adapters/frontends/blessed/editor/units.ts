import { graphemesOf } from '../text/cells.ts';
import { chipsIn, type PlacedChip } from './chips.ts';
import type { Editor } from './editor.ts';

/** What the cursor passes in one step: a grapheme, a line end or a chip. */
export interface Unit {
  from: number;
  to: number;
}

/** So far back a place is looked for that parts graphemes for certain. */
const reach = 512;

/** Letters, figures and signs that begin a grapheme of their own, next to another such. */
const base =
  '(?![\\u1100-\\u11ff\\ua960-\\ua97f\\uac00-\\ud7ff\\u0e33\\u0eb3\\u0d4e\\u{1f3fb}-\\u{1f3ff}\\u{11000}-\\u{11fff}])(?=\\p{Grapheme_Base})[\\p{L}\\p{N}\\p{P}\\p{S}]';
const certain = new RegExp(`(?:${base})(?=(?!\\p{Regional_Indicator})${base})`, 'u');

/** The part around `index` in which graphemes are looked for: without line ends and chips, and not long. */
function stretchAround(text: string, chips: readonly PlacedChip[], index: number): Unit {
  let from = index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  let to = end < 0 ? text.length : end;
  for (const chip of chips) {
    if (chip.to <= index) from = Math.max(from, chip.to);
    if (chip.from >= index) to = Math.min(to, chip.from);
  }
  if (index - from > reach) {
    const start = index - reach;
    const pair = certain.exec(text.slice(start, index));
    if (pair !== null) from = start + pair.index + pair[0].length;
  }
  return { from, to };
}

/** The grapheme that contains `index`, looked for in a stretch no further than `most` behind it. */
function graphemeIn(text: string, { from, to }: Unit, index: number, most: number): Unit {
  const end = Math.min(to, index + most);
  let at = from;
  for (const grapheme of graphemesOf(text.slice(from, end))) {
    const next = at + grapheme.length;
    // A grapheme at the end of what is looked at may go on behind it.
    if (next === end && end < to) break;
    if (next > index) return { from: at, to: next };
    at = next;
  }
  return end < to ? graphemeIn(text, { from, to }, index, most * 8) : { from: at, to };
}

/** The unit that begins at or contains `index`; null at the text's end. */
export function unitAt(editor: Editor, index: number): Unit | null {
  const { text } = editor;
  if (index >= text.length) return null;
  const chips = chipsIn(editor);
  const chip = chips.find(({ from, to }) => from <= index && index < to);
  if (chip !== undefined) return { from: chip.from, to: chip.to };
  if (text[index] === '\n') return { from: index, to: index + 1 };
  return graphemeIn(text, stretchAround(text, chips, index), index, reach);
}

/** The unit that ends at `index`; null at the text's beginning. */
export function unitBefore(editor: Editor, index: number): Unit | null {
  return index <= 0 ? null : unitAt(editor, index - 1);
}

/** The nearest place for a cursor at or behind `index`. */
export function placeAtOrAfter(editor: Editor, index: number): number {
  if (index <= 0) return 0;
  if (index >= editor.text.length) return editor.text.length;
  const unit = unitAt(editor, index);
  return unit === null || unit.from === index ? index : unit.to;
}

/** The nearest place for a cursor at or before `index`. */
export function placeAtOrBefore(editor: Editor, index: number): number {
  return unitAt(editor, Math.max(0, index))?.from ?? editor.text.length;
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words longer than this are passed in several steps. */
const longestWord = 512;

interface Token {
  from: number;
  to: number;
  word: boolean;
}

/** Words and what is between them, in a part of the text without chips. */
function tokensOf(text: string, from: number, to: number): Token[] {
  return [...words.segment(text.slice(from, to))].map(({ segment, index, isWordLike }) => ({
    from: from + index,
    to: from + index + segment.length,
    word: isWordLike === true,
  }));
}

function chipToken({ from, to }: PlacedChip): Token {
  return { from, to, word: true };
}

/** The beginning of the word before the cursor; a chip is a word. */
export function wordLeft(editor: Editor): number {
  const chips = chipsIn(editor);
  for (let at = editor.cursor; at > 0;) {
    const chip = chips.findLast(({ to }) => to <= at);
    const from = Math.max(chip?.to ?? 0, at - longestWord);
    const tokens = chip !== undefined && chip.to === at ? [chipToken(chip)] : tokensOf(editor.text, from, at);
    const word = tokens.findLast((token) => token.word);
    if (word !== undefined) return placeAtOrBefore(editor, word.from);
    at = tokens[0]?.from ?? 0;
  }
  return 0;
}

/** The end of the word behind the cursor; a chip is a word. */
export function wordRight(editor: Editor): number {
  const chips = chipsIn(editor);
  const { length } = editor.text;
  for (let at = editor.cursor; at < length;) {
    const chip = chips.find(({ from }) => from >= at);
    const to = Math.min(chip?.from ?? length, at + longestWord);
    const tokens = chip !== undefined && chip.from === at ? [chipToken(chip)] : tokensOf(editor.text, at, to);
    const word = tokens.find((token) => token.word);
    if (word !== undefined) return placeAtOrAfter(editor, word.to);
    at = tokens.at(-1)?.to ?? length;
  }
  return length;
}
