import type { Line } from '../text/line.ts';

/** What the screen shows: rows from the top, and where the cursor stands; null hides it. */
export interface Frame {
  rows: readonly Line[];
  cursor: { x: number; y: number } | null;
}
