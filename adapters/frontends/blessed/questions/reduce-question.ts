import type { PermissionAnswer } from '../../../../ports/frontend.ts';
import type { Input } from '../terminal/input.ts';
import { layoutOf } from './question-layout.ts';
import { dropped, isNew, isQuiet, shown } from './quiet-time.ts';
import {
  isPlan,
  type PermissionRequest,
  type Question,
  type QuestionRoom,
  type QuestionStep,
} from './question.ts';
import { fieldOf, typedInto } from '../text/field.ts';

/** A request as it came, before its first frame. */
export function askedBy(request: PermissionRequest): Question {
  return { request, shownAt: null, quietUntil: null, scroll: 0, endSeen: false, typing: null };
}

/** Rows that one turn of the wheel moves. */
const wheelRows = 3;

/** How far a key scrolls, in rows; null: it does not. */
function scrolledBy(name: string, page: number): number | null {
  switch (name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageup':
      return -page;
    case 'pagedown':
    case 'space':
      return page;
    case 'home':
      return -Infinity;
    case 'end':
      return Infinity;
    default:
      return null;
  }
}

function scrolled(question: Question, rows: number, room: QuestionRoom): Question {
  const { scroll, height, input } = layoutOf(question, room);
  const most = Math.max(0, input.length - height);
  return { ...question, scroll: Math.min(Math.max(0, scroll + rows), most) };
}

/** Escape goes back, enter settles it; the arrows that a line does not need scroll. */
function reduceTyping(
  question: Question,
  typing: NonNullable<Question['typing']>,
  input: Input,
  room: QuestionRoom,
): QuestionStep {
  if (input.type === 'key' && input.name === 'escape') return { question: { ...question, typing: null } };
  if (input.type === 'key' && input.name === 'enter') {
    const text = typing.text.trim();
    if (typing.what === 'reason')
      return { question, answer: { allow: false, ...(text === '' ? {} : { reason: text }) } };
    return text === '' ? { question } : { question, answer: { allow: true, always: true, rule: text } };
  }
  const typed = typedInto(typing, input);
  if (typed !== typing) return { question: { ...question, typing: { what: typing.what, ...typed } } };
  const rows = input.type === 'key' ? scrolledBy(input.name, pageOf(question, room)) : null;
  return { question: rows === null ? question : scrolled(question, rows, room) };
}

function pageOf(question: Question, room: QuestionRoom): number {
  return Math.max(1, layoutOf(question, room).height - 1);
}

/** What a letter comes to; null: nothing. */
function settled(question: Question, letter: string): QuestionStep | null {
  const { request } = question;
  const answered = (answer: PermissionAnswer): QuestionStep => ({ question, answer });
  switch (letter) {
    case 'y':
      return answered({ allow: true });
    case 'a':
      if (isPlan(question)) return answered({ allow: true, mode: 'accept-edits' });
      return request.suggested_rule === null
        ? null
        : { question: { ...question, typing: { what: 'rule', ...fieldOf(request.suggested_rule) } } };
    case 'm':
      return isPlan(question) || request.suggested_mode === undefined
        ? null
        : answered({ allow: true, mode: request.suggested_mode });
    case 'n':
      return { question: { ...question, typing: { what: 'reason', ...fieldOf('') } } };
    default:
      return null;
  }
}

/**
 * A question after an input (spec: tui, "Permission question"). Only y, a, m, n and escape settle
 * anything, and only after the quiet time; all but escape only once the end of the input was on the
 * screen. A text of several letters that comes at once settles nothing.
 */
export function reduceQuestion(
  question: Question,
  input: Input,
  { now, ...room }: QuestionRoom & { now: number },
): QuestionStep {
  if (question.shownAt === null) return { question };
  if (input.type === 'mouse') {
    if (input.what === 'wheel_up') return { question: scrolled(question, -wheelRows, room) };
    if (input.what === 'wheel_down') return { question: scrolled(question, wheelRows, room) };
    return { question };
  }
  if (question.typing !== null) return reduceTyping(question, question.typing, input, room);
  if (input.type !== 'key' && input.type !== 'text') return { question };
  if (isNew(question, now)) return { question: dropped(question, now) };
  const key = input.type === 'key' ? input.name : input.text === ' ' ? 'space' : '';
  const rows = scrolledBy(key, pageOf(question, room));
  if (rows !== null) return { question: scrolled(question, rows, room) };
  if (key === 'escape') return { question, answer: { allow: false }, stop: true };
  if (isQuiet(question, now)) return { question: dropped(question, now) };
  const settles =
    input.type === 'text' && question.endSeen ? settled(question, input.text.toLowerCase()) : null;
  return settles ?? { question };
}

/** The question's frame is on the screen: its quiet time begins, and its end may have been seen. */
export function drawnQuestion(question: Question, now: number, room: QuestionRoom): Question {
  const { scroll, height, input } = layoutOf(question, room);
  const endSeen = question.endSeen || scroll + height >= input.length;
  const begun = shown(question, now);
  return endSeen === begun.endSeen ? begun : { ...begun, endSeen };
}
