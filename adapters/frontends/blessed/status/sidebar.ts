import { oneLine } from '../../../../domain/text/one-line.ts';
import { relativeTo } from '../../../../domain/text/path-text.ts';
import type { Look } from '../look/glyphs.ts';
import { cellsOf, graphemesOf } from '../text/cells.ts';
import { cutLine, span, type Line } from '../text/line.ts';
import { shownRow } from '../text/shown-row.ts';
import type { Status, View } from '../view/view.ts';
import { moneyText, tokensText } from '../text/amounts.ts';
import { todoHeading, todoRows } from './todos.ts';

/** A part of the sidebar that can be told in fewer rows. */
interface Section {
  heading: string;
  length: number;
  /** Its rows, at most so many. */
  rows: (most: number) => readonly Line[];
}

/** A section keeps so many rows, whatever the others need. */
const leastRows = 2;

function muted(text: string): Line {
  return [span(text, { tone: 'muted' })];
}

/** The end of a path, which tells more than its beginning. */
function tailOf(path: string, columns: number, more: string): string {
  if (cellsOf(path) <= columns) return path;
  let [tail, used] = ['', cellsOf(more)];
  for (const grapheme of [...graphemesOf(path)].reverse()) {
    used += cellsOf(grapheme);
    if (used > columns) break;
    tail = grapheme + tail;
  }
  return more + tail;
}

/** Rows of a list; where they are too many the first or the latest are shown, and how many others there are. */
function listSection(
  heading: string,
  rows: readonly Line[],
  keeps: 'first' | 'latest',
  more: string,
): Section {
  return {
    heading,
    length: rows.length,
    rows: (most) => {
      if (rows.length <= most) return rows;
      const others = muted(`${more} ${rows.length - most + 1} more`);
      return keeps === 'first' ? [...rows.slice(0, most - 1), others] : [others, ...rows.slice(1 - most)];
    },
  };
}

/** A name, and what it is, in one row. */
function fact(name: string, value: string): Line {
  return [span(`${name} `, { tone: 'muted' }), span(value)];
}

function sessionRows({ title, session, mode, model, effort, surroundings }: Status): Line[] {
  const sandbox = surroundings?.sandbox;
  const state = sandbox === undefined ? '' : sandbox.works ? oneLine(sandbox.name) : 'none';
  return [
    ...(title === '' ? [] : [[span(shownRow(title))]]),
    ...(model === null ? [] : [fact('model', oneLine(effort === null ? model : `${model} ${effort}`))]),
    fact('mode', mode),
    ...(state === ''
      ? []
      : [fact('sandbox', sandbox?.works === true && sandbox.network ? `${state}, network` : state)]),
    ...(surroundings === null ? [] : [fact('folder', oneLine(surroundings.folder))]),
    ...(surroundings?.branch === undefined ? [] : [fact('branch', oneLine(surroundings.branch))]),
    ...(session === null ? [] : [fact('id', oneLine(session))]),
  ];
}

function usageRows({ usage, costUsd, budgetUsd }: Status): Line[] {
  const { input, output, cacheRead, cacheWrite } = usage;
  if (input + output + cacheRead + cacheWrite === 0) return [];
  const cost = costUsd === null ? null : moneyText(costUsd);
  return [
    fact('in', tokensText(input)),
    fact('out', tokensText(output)),
    ...(cacheRead + cacheWrite === 0
      ? []
      : [fact('cache', `${tokensText(cacheRead)} read, ${tokensText(cacheWrite)} written`)]),
    ...(cost === null
      ? []
      : [fact('cost', budgetUsd === null ? cost : `${cost} of ${moneyText(budgetUsd)}`)]),
  ];
}

function sectionsOf(status: Status, columns: number, look: Look): Section[] {
  const { glyphs } = look;
  const { todos, tasks, changedFiles, surroundings } = status;
  const inFolder = (path: string): string => (surroundings && relativeTo(path, surroundings.cwd)) || path;
  const all: Section[] = [
    listSection('Session', sessionRows(status), 'first', glyphs.more),
    {
      heading: todoHeading(todos),
      length: todos.length,
      rows: (most) => todoRows(todos, columns, most, glyphs),
    },
    listSection(
      'Tasks',
      tasks.map(({ id, label }) => [span(shownRow(label)), span(` ${oneLine(id)}`, { tone: 'muted' })]),
      'latest',
      glyphs.more,
    ),
    listSection(
      'Changed files',
      changedFiles.map((path) => [span(tailOf(oneLine(inFolder(path)), columns, glyphs.more))]),
      'latest',
      glyphs.more,
    ),
    listSection('Usage', usageRows(status), 'first', glyphs.more),
  ];
  return all.filter(({ length }) => length > 0);
}

/** Rows that each section may take, so that all with headings and blank rows fit if they can. */
function shares(sections: readonly Section[], rows: number): number[] {
  const most = sections.map(({ length }) => length);
  const around = 2 * sections.length - 1;
  for (;;) {
    const longest = Math.max(0, ...most);
    if (most.reduce((sum, each) => sum + each, around) <= rows || longest <= leastRows) return most;
    most[most.lastIndexOf(longest)] = longest - 1;
  }
}

/** What is known of the session, beside the conversation; only what there is something to say of. */
export function drawSidebar(
  { status }: Pick<View, 'status'>,
  columns: number,
  rows: number,
  look: Look,
): readonly Line[] {
  const sections = sectionsOf(status, columns, look);
  const most = shares(sections, rows);
  return sections
    .flatMap((section, at): readonly Line[] => [
      ...(at === 0 ? [] : [[]]),
      [span(section.heading, { tone: 'muted', bold: true })],
      ...section.rows(most[at] ?? 0),
    ])
    .slice(0, Math.max(0, rows))
    .map((row) => cutLine(row, columns, look.glyphs.more));
}
