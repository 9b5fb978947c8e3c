import type { Glyphs } from '../look/glyphs.ts';
import { span, type Line } from './line.ts';

/** The part of a list that is shown, in indexes of its rows; `above` and `below` are rows that tell of the rest. */
export interface RowWindow {
  from: number;
  to: number;
  above: boolean;
  below: boolean;
}

/**
 * What of `total` rows is shown in `room`, so that the selected one is among them, in the middle where
 * there are rows enough on both sides. Rows that tell how many more there are count towards the room;
 * below four rows there are none.
 */
export function rowWindow(total: number, selected: number, room: number): RowWindow {
  if (total <= room) return { from: 0, to: total, above: false, below: false };
  const rows = Math.max(1, room);
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), total - rows));
  const tells = rows >= 4;
  const above = tells && from > 0;
  const below = tells && from + rows < total;
  return { from: above ? from + 1 : from, to: from + rows - (below ? 1 : 0), above, below };
}

/** `… 3 more above` */
export function moreRow(count: number, where: 'above' | 'below', { more }: Glyphs): Line {
  return [span(`${more} ${count} more ${where}`, { tone: 'muted' })];
}
