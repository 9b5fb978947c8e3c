import { durationText } from '../../text/amounts.ts';
import { oneLine } from '../../../../../domain/text/one-line.ts';
import { callSubject } from '../../../call-subject.ts';
import { spinnerOf, type Glyphs, type Look } from '../../look/glyphs.ts';
import { cutLine, lineCells, span, type Line, type Span } from '../../text/line.ts';
import type { CallBlock } from '../conversation.ts';
import { doneOf, fieldsOf, todosIn, type Todo } from '../facts.ts';
import { duration, widestText } from './text-rows.ts';

/** Of a subject, so many characters can come on a row. */
const longestSubject = 2000;
/** Milliseconds below which a duration says nothing. */
const notable = 50;

const firstField = /"(command|path|pattern|url|query|description)"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** What a call that is still being written is about, as far as it can be told. */
function writtenSubject(written: string): string | null {
  const found = firstField.exec(written.slice(0, longestSubject))?.[2];
  if (found === undefined) return null;
  try {
    return JSON.parse(`"${found}"`) as string;
  } catch {
    return found;
  }
}

/** `1/3 · what is being done`: the list itself stands beside the conversation. */
function todosSubject(todos: readonly Todo[], between: string): string {
  if (todos.length === 0) return '';
  const doing = todos.find(({ state }) => state === 'in_progress');
  const text =
    doing === undefined ? '' : ` ${between} ${oneLine(doing.text.slice(0, longestSubject).trim())}`;
  return `${doneOf(todos)}${text}`;
}

/** One line about a call, without control characters: a command, a path, a pattern; empty if none. */
function subjectOf(call: CallBlock, { between }: Glyphs): string {
  if (call.tool === 'exit_plan_mode') return '';
  if (call.tool === 'todo_write') return todosSubject(todosIn(call.input) ?? [], between);
  const { description } = fieldsOf(call.input);
  const subject =
    callSubject(call.input) ??
    (typeof description === 'string' ? description : null) ??
    (call.state === 'writing' ? writtenSubject(call.written) : null);
  // A question shows it as it is; here a line's end would be in the way.
  return subject === null
    ? ''
    : oneLine(
        subject
          .slice(0, longestSubject)
          .trim()
          .replace(/\s*\n\s*/g, ' '),
      );
}

const names: Readonly<Record<string, string>> = { todo_write: 'Task list', exit_plan_mode: 'Plan' };

function markOf({ state }: CallBlock, look: Look): Span {
  const { glyphs } = look;
  switch (state) {
    case 'writing':
      return span(spinnerOf(look), { tone: 'muted' });
    case 'running':
      return span(spinnerOf(look), { tone: 'accent' });
    case 'waiting':
      return span(glyphs.waiting, { tone: 'muted' });
    case 'asked':
      return span(glyphs.waiting, { tone: 'warning' });
    case 'done':
      return span(glyphs.done, { tone: 'success' });
    case 'failed':
      return span(glyphs.failed, { tone: 'error' });
    case 'denied':
      return span(glyphs.denied, { tone: 'warning' });
    case 'stopped':
      return span(glyphs.stopped, { tone: 'muted' });
    default:
      return state satisfies never;
  }
}

/** How long it took, or takes so far; empty where that is not worth a word. */
function timeOf(call: CallBlock, look: Look): string {
  if (call.state === 'running' && call.startedAt !== null) {
    const ms = look.now - call.startedAt;
    return ms < 1000 ? '' : durationText(ms);
  }
  return call.durationMs === null || call.durationMs < notable ? '' : duration(call.durationMs);
}

/** A call in one row: its state, the tool, what it is about, and on the right how long it takes. */
export function callHead(call: CallBlock, columns: number, look: Look): Line {
  const width = Math.min(columns, widestText);
  const name = names[call.tool] ?? oneLine(call.tool.slice(0, 64));
  const subject = subjectOf(call, look.glyphs);
  const time = timeOf(call, look);
  const row: Line = [
    markOf(call, look),
    span(' '),
    span(name, { bold: true }),
    ...(subject === '' ? [] : [span(` ${subject}`)]),
  ];
  const room = time === '' ? width : width - time.length - 2;
  if (time === '' || room < 12) return cutLine(row, width, look.glyphs.more);
  const cut = cutLine(row, room, look.glyphs.more);
  const gap = ' '.repeat(width - time.length - lineCells(cut));
  return [...cut, span(gap), span(time, { tone: 'muted' })];
}
