import { headOf } from '../text/line.ts';
import { shownRow } from '../text/shown-row.ts';
import type { View } from '../view/view.ts';

/** Longer ones are cut by whatever shows them. */
const mostCells = 80;

/** The terminal window's title: what the session is about, or its folder. Without control characters. */
export function windowTitle({ status }: Pick<View, 'status'>): string {
  const about = shownRow(status.title) || shownRow(status.surroundings?.folder ?? '');
  return about === '' ? 'larik' : `${headOf(about, mostCells)} - larik`;
}
