import type { Todo } from '../conversation/facts.ts';
import { span, type Span, type Style } from '../text/line.ts';
import type { Glyphs } from './glyphs.ts';

/** The mark in front of an item of the task list, and how its words stand there. */
export function todoLook(state: Todo['state'], glyphs: Glyphs): { mark: Span; style: Style } {
  switch (state) {
    case 'completed':
      return { mark: span(`${glyphs.checked} `, { tone: 'success' }), style: { tone: 'muted' } };
    case 'in_progress':
      return { mark: span(`${glyphs.selected} `, { tone: 'accent' }), style: { bold: true } };
    case 'pending':
      return { mark: span(`${glyphs.unchecked} `, { tone: 'muted' }), style: {} };
    default:
      return state satisfies never;
  }
}
