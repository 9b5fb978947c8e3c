import { drawMarkdown } from '../../markdown/markdown.ts';
import { differenceRows } from '../../difference/difference-rows.ts';
import { isDifference } from '../../difference/parse-difference.ts';
import type { Look } from '../../look/glyphs.ts';
import { todoLook } from '../../look/todo-look.ts';
import { line, span, type Line, type Style } from '../../text/line.ts';
import type { Rows } from '../../text/rows.ts';
import { wrapLine } from '../../text/wrap.ts';
import type { CallBlock } from '../conversation.ts';
import { fieldsOf, todosIn, type Todo } from '../facts.ts';
import { counted, cutRows, moreLines, shownLines, wrappedLines, type Shown } from './text-rows.ts';

/** Rows of a difference that are shown at first. */
const mostDifference = 20;
/** Lines of live output. */
const liveLines = 6;
/** Rows of one line that is longer than a row. */
const longLine = 3;

const muted: Style = { tone: 'muted' };

function todoRow({ text, state }: Todo, columns: number, { glyphs }: Look): Line[] {
  const { mark, style } = todoLook(state, glyphs);
  return wrappedLines([shownLines(text).join(' ')], columns, style, [mark], [span('  ')]);
}

/** The end of what it printed so far, a row for each line. */
function liveRows(call: CallBlock, columns: number): Line[] {
  const lines = shownLines(call.live.slice(-columns * liveLines * 8));
  const rows = wrappedLines(lines.slice(-liveLines), columns, muted, [], []);
  return rows.slice(-liveLines);
}

/** Lines of a result that say what was left out, and are none of it. */
function isNote(text: string): boolean {
  return text.startsWith('[') && text.endsWith(']');
}

const units: Readonly<Record<string, [string, string]>> = {
  glob: ['file', 'files'],
  grep: ['line', 'lines'],
};

/** A result in a row. */
function summaryOf({ tool }: CallBlock, lines: readonly string[]): string {
  if (lines.length === 0) return 'no output';
  const told = lines.filter((each) => !isNote(each));
  if (told.length <= 1) return (told[0] ?? lines[0] ?? '').trim();
  const [one, many] = units[tool] ?? ['line', 'lines'];
  return counted(told.length, one, many);
}

/** What a command printed, below how it ended. */
function commandRows(call: CallBlock, columns: number, look: Look, expanded: boolean): Line[] {
  const [ending = '', ...output] = shownLines(call.output);
  const isFailed = call.state === 'failed';
  const isQuiet = !isFailed && ending.startsWith('exit code 0');
  const first =
    isQuiet && output.length > 0 ? [] : [ending.replace(/^exit code 0, .*; |(?<=^exit code \d+), [^;]*/, '')];
  const shown: Shown | null = expanded ? null : { first: 2, last: isFailed ? 8 : 3, wrap: longLine };
  return [
    ...wrappedLines(first, columns, isFailed ? { tone: 'error' } : muted, [], []),
    ...cutRows(output, shown, columns, muted, look),
  ];
}

function failedRows(call: CallBlock, columns: number, look: Look, expanded: boolean): Line[] {
  const lines = shownLines(call.output);
  if (lines.length === 0) return [line('failed', { tone: 'error' })];
  const shown: Shown | null = expanded ? null : { first: 1, last: 0, wrap: longLine };
  return cutRows(lines, shown, columns, { tone: 'error' }, look);
}

function displayRows(display: string, columns: number, look: Look, expanded: boolean): Rows {
  if (!isDifference(display)) {
    return cutRows(
      shownLines(display),
      expanded ? null : { first: 10, last: 2, wrap: longLine },
      columns,
      muted,
      look,
    );
  }
  const rows = differenceRows(display, columns, look);
  if (expanded || rows.length <= mostDifference + 1) return rows;
  return [
    ...rows.slice(0, mostDifference),
    ...wrapLine(moreLines(rows.length - mostDifference, look), columns),
  ];
}

function resultRows(call: CallBlock, columns: number, look: Look, expanded: boolean): Rows {
  if (call.display !== null) return displayRows(call.display, columns, look, expanded);
  const lines = shownLines(call.output);
  if (expanded) return cutRows(lines, null, columns, muted, look);
  return cutRows([summaryOf(call, lines)], { first: 1, last: 0, wrap: 2 }, columns, muted, look);
}

/** Why the user refused a call: what stands in front of the note for the model, which is in brackets. */
function wordsOfUser(output: string): string {
  return /^([^]+)\n\n\([^\n]+\)$/.exec(output.slice(0, 4096))?.[1]?.trim() ?? '';
}

function deniedRows(call: CallBlock, columns: number, look: Look, expanded: boolean): Line[] {
  const words = call.note === 'by you' ? wordsOfUser(call.output) : '';
  const by = call.note === 'by you' ? 'Denied by you' : (call.note ?? 'Denied');
  const why = shownLines(words === '' ? by : `${by}: ${words}`);
  const rows = cutRows(why, { first: 3, last: 0, wrap: longLine }, columns, { tone: 'warning' }, look);
  return expanded ? [...rows, ...cutRows(shownLines(call.output), null, columns, muted, look)] : rows;
}

/** What stands below the row of a call, without the indent: what it does, gave, or why it did not run. */
export function callBody(call: CallBlock, columns: number, look: Look, expanded: boolean): Rows {
  const { plan } = fieldsOf(call.input);
  const isRefused = call.state === 'denied' || call.state === 'failed';
  const own =
    call.tool === 'exit_plan_mode' && typeof plan === 'string'
      ? drawMarkdown(plan, columns, look)
      : call.tool === 'todo_write' && !isRefused && expanded
        ? (todosIn(call.input) ?? []).flatMap((todo) => todoRow(todo, columns, look))
        : [];
  switch (call.state) {
    case 'writing':
    case 'waiting':
    case 'asked':
      return own;
    case 'running':
      return own.length > 0 ? own : liveRows(call, columns);
    case 'stopped':
      return [...own, line('stopped', muted), ...liveRows(call, columns)];
    case 'denied':
      return [...own, ...deniedRows(call, columns, look, expanded)];
    case 'failed':
      return call.tool === 'bash'
        ? commandRows(call, columns, look, expanded)
        : [...own, ...failedRows(call, columns, look, expanded)];
    case 'done':
      if (own.length > 0 || call.tool === 'todo_write') return own;
      return call.tool === 'bash'
        ? commandRows(call, columns, look, expanded)
        : resultRows(call, columns, look, expanded);
    default:
      return call.state satisfies never;
  }
}
