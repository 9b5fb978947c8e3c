import { oneLine } from '../../../../domain/text/one-line.ts';
import type { Choice } from '../../host.ts';
import type { Glyphs } from '../look/glyphs.ts';
import { cellsOf } from '../text/cells.ts';
import { cutLine, lineCells, padLine, span, styled, type Line } from '../text/line.ts';
import { moreRow, rowWindow } from '../text/row-window.ts';

interface ChoiceList {
  choices: readonly Choice[];
  selected: number;
  /** Numbers stand in front of the first nine. */
  numbered: boolean;
}

type ListRow = { group: string } | { choice: Choice; index: number };

/** Between a label and what stands at the right edge. */
const gap = 2;
/** A detail of fewer cells tells nothing. */
const leastDetail = 6;
const narrow = 40;

function listRows({ choices }: ChoiceList): ListRow[] {
  return choices.flatMap((choice, index): ListRow[] => {
    const group = choice.group ?? '';
    const begins = group !== '' && group !== (choices[index - 1]?.group ?? '');
    return [...(begins ? [{ group }] : []), { choice, index }];
  });
}

/** Why it cannot be chosen comes before what there is to say of it. */
function detailOf({ disabled, detail = '' }: Choice): string {
  return oneLine(disabled ?? detail);
}

/** The row without what stands at the right edge. */
function labelOf(choice: Choice, index: number, { selected, numbered }: ChoiceList, glyphs: Glyphs): Line {
  const mark = index === selected ? span(`${glyphs.selected} `, { tone: 'accent' }) : span('  ');
  const number = numbered ? [span(index < 9 ? `${index + 1} ` : '  ', { tone: 'muted' })] : [];
  const label = span(oneLine(choice.label), choice.disabled === undefined ? {} : { tone: 'muted' });
  const current = choice.current === true ? [span(` ${glyphs.checked}`, { tone: 'success' })] : [];
  return [mark, ...number, label, ...current];
}

/** Cells that the list wants, so that nothing of it is cut. */
export function choiceCells(list: ChoiceList, glyphs: Glyphs): number {
  return list.choices.reduce((most, choice, index) => {
    const detail = cellsOf(detailOf(choice));
    const label = lineCells(labelOf(choice, index, list, glyphs));
    return Math.max(most, label + (detail === 0 ? 0 : gap + detail), cellsOf(oneLine(choice.group ?? '')));
  }, 0);
}

/** How many rows the whole list has. */
export function choiceRowCount(list: ChoiceList): number {
  return listRows(list).length;
}

/** The list in at most `room` rows, all of it or the part around the marked choice. */
export function drawChoices(list: ChoiceList, columns: number, room: number, glyphs: Glyphs): Line[] {
  const rows = listRows(list);
  const at = rows.findIndex((row) => 'index' in row && row.index === list.selected);
  const { from, to, above, below } = rowWindow(rows.length, Math.max(0, at), room);
  const count = (part: readonly ListRow[]): number => part.filter((row) => 'index' in row).length;
  const more = (part: readonly ListRow[], where: 'above' | 'below'): Line =>
    cutLine([span('  '), ...moreRow(count(part), where, glyphs)], columns, glyphs.more);
  return [
    ...(above ? [more(rows.slice(0, from), 'above')] : []),
    ...rows.slice(from, to).map((row) => drawRow(row, list, columns, glyphs)),
    ...(below ? [more(rows.slice(to), 'below')] : []),
  ];
}

function drawRow(row: ListRow, list: ChoiceList, columns: number, glyphs: Glyphs): Line {
  if ('group' in row) {
    return cutLine([span(oneLine(row.group), { tone: 'muted', bold: true })], columns, glyphs.more);
  }
  const label = labelOf(row.choice, row.index, list, glyphs);
  const detail = detailOf(row.choice);
  // In a narrow list what a choice is called has all the room that it wants.
  const most = columns < narrow ? columns : Math.ceil(columns * 0.65);
  const room = columns - Math.min(lineCells(label), most) - gap;
  const shown =
    detail === '' || room < leastDetail ? [] : cutLine([span(detail, { tone: 'muted' })], room, glyphs.more);
  const width = lineCells(shown);
  const left = cutLine(label, width === 0 ? columns : columns - width - gap, glyphs.more);
  const whole = width === 0 ? left : [...padLine(left, columns - width), ...shown];
  if (row.index !== list.selected) return whole;
  return padLine(styled(whole, { ground: 'selected' }), columns, { ground: 'selected' });
}
