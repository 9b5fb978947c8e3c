import type { QueuedPrompt } from '../../../../ports/event.ts';
import type { Look } from '../look/glyphs.ts';
import { cutLine, span, type Line } from '../text/line.ts';
import { shownRow } from '../text/shown-row.ts';

/** Longer queues are told as a number. */
const mostRows = 4;

/** What waits to be sent, above the input, and how to get at it; no rows if nothing waits. */
export function drawQueue(queue: readonly QueuedPrompt[], columns: number, look: Look): readonly Line[] {
  if (queue.length === 0) return [];
  const { queued, more } = look.glyphs;
  const shown = queue.length > mostRows ? queue.slice(1 - mostRows) : queue;
  const hidden = queue.length - shown.length;
  const rows = shown.map(({ text, kind }): Line => {
    const when = kind === 'follow_up' ? [span('after this turn: ', { tone: 'muted' as const })] : [];
    return [span(`${queued} `, { tone: 'accent' }), ...when, span(shownRow(text.slice(0, 2000)))];
  });
  const earlier: Line[] = hidden === 0 ? [] : [[span(`${more} ${hidden} more before`, { tone: 'muted' })]];
  const hint: Line = [span('  up takes the last one back', { tone: 'muted' })];
  return [...earlier, ...rows, hint].map((row) => cutLine(row, columns, more));
}
