import { padLine, span, type Line, type Style } from '../../text/line.ts';
import { wrapLine } from '../../text/wrap.ts';
import { shownLines } from './text-rows.ts';

const styles: Readonly<Record<string, Style>> = {
  '+': { ground: 'added' },
  '-': { ground: 'removed' },
  '@': { tone: 'muted' },
  '\\': { tone: 'muted' },
};

/** A unified difference as rows, its grounds as wide as the columns; the names of the file are left out. */
export function differenceRows(display: string, columns: number): Line[] {
  const lines = shownLines(display);
  const first = lines.findIndex((text) => text.startsWith('@@ '));
  return lines.slice(Math.max(0, first)).flatMap((text) => {
    const style = styles[text.slice(0, 1)] ?? {};
    const rows = wrapLine([span(text, style)], columns, { first: [], rest: [span('  ', style)] });
    return style.ground === undefined ? rows : rows.map((row) => padLine(row, columns, style));
  });
}
