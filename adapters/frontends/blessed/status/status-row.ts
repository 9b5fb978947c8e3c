import { doneOf } from '../conversation/facts.ts';
import { spinnerOf, type Look } from '../look/glyphs.ts';
import { cutLine, span, type Line } from '../text/line.ts';
import { shownRow } from '../text/shown-row.ts';
import { floatColumns, layoutOf } from '../view/layout.ts';
import type { View } from '../view/view.ts';
import { durationText, tokensText } from '../text/amounts.ts';
import { hintKey } from './hint-key.ts';
import { rowOfParts, type RowPart } from './row-parts.ts';

type Name = 'doing' | 'todo' | 'tokens' | 'hint' | 'below';

/** The mark that something came below is what nobody may miss who has scrolled up. */
const steps: readonly Name[] = ['tokens', 'todo', 'below', 'hint', 'todo', 'doing', 'below'];

type Shown = Pick<
  View,
  | 'activity'
  | 'told'
  | 'conversation'
  | 'keymap'
  | 'editor'
  | 'dialog'
  | 'questions'
  | 'status'
  | 'size'
  | 'sidebar'
>;

/** Of what is being done, so many cells at first. */
const mostTodo = 40;

function left(...forms: readonly Line[]): RowPart {
  return { side: 'left', forms };
}

/** Nothing is typed, and nothing asks: a key does what the hint says. */
function isWaiting({ editor, dialog, questions }: Shown): boolean {
  return editor.text === '' && dialog === null && questions.length === 0;
}

/** What is told for a while, in place of a hint; its words are cut only when nothing else can go. */
function hintOf(view: Shown, look: Look): Line | null {
  const { told, activity, keymap } = view;
  if (told !== null && told.until > look.now) return [span(shownRow(told.text), { tone: told.tone })];
  const key = hintKey(keymap, 'interrupt');
  switch (activity.type) {
    case 'turn':
      return activity.stopping || key === null ? null : [span(`${key} interrupts`, { tone: 'muted' })];
    case 'busy':
      return key === null ? null : [span(`${key} abandons`, { tone: 'muted' })];
    case 'idle':
      return isWaiting(view) ? [span('? for shortcuts', { tone: 'muted' })] : null;
    case 'opening':
      return null;
    default:
      return activity satisfies never;
  }
}

function doingOf(view: Shown, look: Look): { doing: Line; tokens: Line | null } | null {
  const { activity } = view;
  const sign = span(`${spinnerOf(look)} `, { tone: 'accent' });
  switch (activity.type) {
    case 'idle':
      return null;
    case 'opening':
      // A dialog waits for the user, and what opens for its answer.
      if (view.dialog !== null) return null;
      return { doing: [sign, span('Opening', { tone: 'muted' })], tokens: null };
    case 'busy': {
      const time = durationText(look.now - activity.startedAt);
      return {
        doing: [sign, span(shownRow(activity.label)), span(` ${time}`, { tone: 'muted' })],
        tokens: null,
      };
    }
    case 'turn': {
      const time = durationText(look.now - activity.startedAt);
      const tokens = [span(`${tokensText(activity.outputTokens)} tokens`, { tone: 'muted' as const })];
      return {
        doing: [sign, span(activity.stopping ? 'Stopping' : 'Working'), span(` ${time}`, { tone: 'muted' })],
        tokens: activity.outputTokens > 0 ? tokens : null,
      };
    }
    default:
      return activity satisfies never;
  }
}

/** What of the todo list is being done, while a turn runs and the list itself is not on the screen. */
function todoForms({ status: { todos }, activity, size, sidebar }: Shown, { glyphs }: Look): Line[] {
  if (activity.type !== 'turn' || layoutOf(size, sidebar).sidebar > 0 || floatColumns({ size, sidebar }) > 0)
    return [];
  const doing = todos.find(({ state }) => state === 'in_progress');
  if (doing === undefined) return [];
  const count = ` ${doneOf(todos)}`;
  const text = cutLine([span(shownRow(doing.text))], mostTodo, glyphs.more);
  return [[...text, span(count, { tone: 'muted' })], [span(count.trim(), { tone: 'muted' })]];
}

/** The row between conversation and input: what goes on, what keys do now, and that there is more below. */
export function drawStatusRow(view: Shown, columns: number, look: Look): Line {
  const { glyphs } = look;
  const doing = doingOf(view, look);
  const hint = hintOf(view, look);
  const todo = todoForms(view, look);
  const { newBelow } = view.conversation;
  const mark = (text: string): Line => [span(text, { tone: 'accent' })];
  const parts: Partial<Record<Name, RowPart>> = {
    ...(doing === null ? {} : { doing: left(doing.doing, doing.doing.slice(0, 2)) }),
    ...(todo.length === 0 ? {} : { todo: left(...todo) }),
    ...(doing?.tokens ? { tokens: left(doing.tokens) } : {}),
    ...(hint === null ? {} : { hint: left(hint) }),
    ...(newBelow
      ? {
          below: {
            side: 'right',
            forms: [mark(`new output below ${glyphs.newBelow}`), mark(glyphs.newBelow)],
          },
        }
      : {}),
  };
  return rowOfParts(parts, steps, columns, glyphs);
}
