import { unicodeGlyphs, type Glyphs } from '../look/glyphs.ts';
import { cellsOf } from '../text/cells.ts';
import { headOf, line, textOf } from '../text/line.ts';
import type { Rows } from '../text/rows.ts';
import { wrapLine } from '../text/wrap.ts';
import { boxOf, textRows, type Box } from './question-box.ts';
import { factsOf, type Fact } from './question-words.ts';
import { inputRows, markCells } from './input-rows.ts';
import type { Question, QuestionRoom } from './question.ts';
import { shownLine, type ShownLine } from './shown-line.ts';

/** Cells of the words in front of a fact, where there is room for them to stand below each other. */
const labelCells = 8;

/** A fact as it is shown: so many rows of it. */
export interface FactRows {
  fact: Fact;
  label: string;
  rows: string[];
}

/** What of a question is on the screen; the rows of all parts together are at most those of the room. */
export interface QuestionLayout {
  box: Box;
  input: Rows;
  /** First row of the input that is shown, and how many. */
  scroll: number;
  height: number;
  hasTitle: boolean;
  hasPosition: boolean;
  facts: readonly FactRows[];
  typed: ShownLine | null;
  typedLabel: string;
  hasHint: boolean;
  hasBottom: boolean;
}

/** Rows of a typed line that are shown at most; the cursor is among them. */
const mostTyped = 4;

/** Rows of a fact at most: where it runs is one, whatever is known of it, so that all rows stay in place. */
function mostOf({ label }: Fact): number {
  return label === 'runs' ? 1 : 3;
}

/** A reason is parted between words; a path or a rule is cut where a row is full, and keeps its blanks. */
function factRows({ label, text }: Fact, columns: number, most: number, { more }: Glyphs): string[] {
  if (label !== 'why') return textRows(text, columns, most, more);
  const rows = wrapLine(line(text), columns).map(textOf);
  const last = rows[most - 1];
  if (rows.length <= most || last === undefined) return rows.slice(0, most);
  return [...rows.slice(0, most - 1), headOf(last, columns - cellsOf(more)) + more];
}

function labelOf(label: string, { inner }: Box): string {
  return inner < 40 ? `${label} ` : label.padEnd(labelCells);
}

function typedRows({ typing }: Question, columns: number, most: number): ShownLine | null {
  if (typing === null) return null;
  const { rows, cursor } = shownLine(typing, columns);
  const first = Math.min(Math.max(0, cursor.y - most + 1), Math.max(0, rows.length - most));
  return { rows: rows.slice(first, first + most), cursor: { x: cursor.x, y: cursor.y - first } };
}

/** Rows for each part, the most important first; what is less important goes without. */
function allot(
  question: Question,
  room: QuestionRoom,
  network: boolean | undefined,
  glyphs: Glyphs,
  isLong: boolean,
) {
  const box = boxOf(room.columns);
  const input = inputRows(question.request, Math.max(4, box.inner - markCells));
  let left = Math.max(1, room.mostRows);
  const take = (wanted: number): number => {
    const got = Math.max(0, Math.min(wanted, left));
    left -= got;
    return got;
  };
  let height = take(1);
  const has = () => take(1) === 1;
  const hasHint = has();
  const typedLabel = labelOf(question.typing?.what === 'rule' ? 'always' : 'reason', box);
  const typing = typedRows(question, Math.max(1, box.inner - typedLabel.length), mostTyped);
  const typedHeight = typing === null ? 0 : take(typing.rows.length > 1 ? 2 : 1);
  const hasTitle = has();
  const hasPosition = isLong && has();
  const facts = factsOf(question, network).filter(
    ({ label }) => label !== 'always' || question.typing?.what !== 'rule',
  );
  const wanted = facts.map((fact) => {
    const label = labelOf(fact.label, box);
    return { fact, label, columns: Math.max(1, box.inner - label.length) };
  });
  const counts = wanted.map(() => 0);
  const [first = 0] = wanted.length === 0 ? [] : [take(1)];
  if (wanted.length > 0) counts[0] = first;
  height += take(Math.min(2, input.length - height));
  for (let at = 1; at < wanted.length; at += 1) counts[at] = take(1);
  const hasBottom = has();
  const typedMore = typing === null ? 0 : take(typing.rows.length - typedHeight);
  height += take(Math.min(3, input.length - height));
  for (const [at, { fact, columns }] of wanted.entries()) {
    const rows = factRows(fact, columns, mostOf(fact), glyphs).length;
    if (counts[at] === 1) counts[at] += take(rows - 1);
  }
  height += take(input.length - height);
  return {
    box,
    input,
    height,
    hasTitle,
    hasPosition,
    hasHint,
    hasBottom,
    typed: typedRows(question, Math.max(1, box.inner - typedLabel.length), typedHeight + typedMore),
    typedLabel,
    facts: wanted
      .map(({ fact, label, columns }, at) => ({
        fact,
        label,
        rows: factRows(fact, columns, counts[at] ?? 0, glyphs),
      }))
      .filter(({ rows }) => rows.length > 0),
  };
}

/** How much of a question is on the screen, and which part of its input. */
export function layoutOf(
  question: Question,
  room: QuestionRoom,
  network?: boolean,
  glyphs: Glyphs = unicodeGlyphs,
): QuestionLayout {
  const short = allot(question, room, network, glyphs, false);
  const layout = short.height < short.input.length ? allot(question, room, network, glyphs, true) : short;
  const most = Math.max(0, layout.input.length - layout.height);
  return { ...layout, scroll: Math.min(Math.max(0, question.scroll), most) };
}
