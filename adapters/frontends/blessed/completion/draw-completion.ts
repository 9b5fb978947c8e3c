import type { Look } from '../look/glyphs.ts';
import { cellsOf } from '../text/cells.ts';
import { cutLine, lineCells, padLine, span, styled, type Drawn, type Line } from '../text/line.ts';
import { moreRow, rowWindow } from '../text/row-window.ts';
import type { Completion, CompletionItem } from './completion.ts';

/** Wider rows are hard to follow, and more rows hide what is talked about. */
const mostColumns = 100;
const mostItems = 8;

interface Sizes {
  columns: number;
  mostRows: number;
  look: Look;
}

/** The rows right above the input; none where there is nothing to choose. */
export function drawCompletion(completion: Completion, { columns, mostRows, look }: Sizes): Drawn {
  const { items, selected } = completion;
  const { from, to, above, below } = rowWindow(
    items.length,
    Math.max(0, selected),
    Math.min(mostRows, mostItems),
  );
  const shown = items.slice(from, to);
  const width = Math.min(columns, mostColumns);
  const names = Math.max(0, ...shown.map((item) => lineCells(nameOf(item))));
  const at = Math.min(names, Math.max(12, Math.floor(width * 0.36))) + 2;
  const rows = shown.map((item, index) => itemRow(item, from + index === selected, at, width, look));
  const more = (count: number, where: 'above' | 'below'): Line =>
    cutLine([span('  '), ...moreRow(count, where, look.glyphs)], width, look.glyphs.more);
  return {
    rows: [
      ...(above ? [more(from, 'above')] : []),
      ...rows,
      ...(below ? [more(items.length - to, 'below')] : []),
    ].slice(0, Math.max(0, mostRows)),
    cursor: null,
  };
}

function nameOf({ label, hint }: CompletionItem): Line {
  return hint === undefined ? [span(label)] : [span(label), span(` ${hint}`, { tone: 'muted' })];
}

function itemRow(item: CompletionItem, selected: boolean, at: number, columns: number, look: Look): Line {
  const { glyphs } = look;
  const mark = selected ? span(`${glyphs.selected} `, { tone: 'accent' }) : span('  ');
  const name = nameOf(item);
  const room = columns - cellsOf(mark.text) - at;
  const { detail = '' } = item;
  // A detail of a few cells tells nothing.
  const besides = detail !== '' && room >= 8;
  const row = besides
    ? [
        mark,
        ...padLine(cutLine(name, at - 2, glyphs.more), at),
        ...cutLine([span(detail, { tone: 'muted' })], room, glyphs.more),
      ]
    : [mark, ...name];
  const cut = cutLine(row, columns, glyphs.more);
  return selected ? padLine(styled(cut, { ground: 'selected' }), columns, { ground: 'selected' }) : cut;
}
