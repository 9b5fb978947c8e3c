import { cutLine, lineCells, padLine, span, type Line } from '../text/line.ts';
import type { Glyphs } from '../look/glyphs.ts';

/** A part of a row, in forms from the longest to the shortest; where none fits it is left out. */
export interface RowPart {
  side: 'left' | 'right';
  forms: readonly Line[];
}

/** Between the two sides at least. */
const gap = 2;

/** Parts of one side, one after another. */
function joined(parts: readonly Line[], { between }: Glyphs): Line {
  return parts.flatMap((part, at) => (at === 0 ? part : [span(` ${between} `, { tone: 'muted' }), ...part]));
}

/**
 * One row of parts at its two ends. While it is too long, `steps` says which part takes its next
 * shorter form, or goes, one step after another; what is left then is cut.
 */
export function rowOfParts<Name extends string>(
  parts: Readonly<Partial<Record<Name, RowPart>>>,
  steps: readonly Name[],
  columns: number,
  glyphs: Glyphs,
): Line {
  const form = new Map<string, number>();
  const side = (which: RowPart['side']): Line => {
    const shown: Line[] = [];
    for (const [name, part] of Object.entries<RowPart | undefined>(parts)) {
      const line = part?.side === which ? part.forms[form.get(name) ?? 0] : undefined;
      if (line !== undefined) shown.push(line);
    }
    return joined(shown, glyphs);
  };
  const row = (): { left: Line; right: Line; cells: number } => {
    const [left, right] = [side('left'), side('right')];
    const between = left.length > 0 && right.length > 0 ? gap : 0;
    return { left, right, cells: lineCells(left) + between + lineCells(right) };
  };
  let drawn = row();
  for (const name of steps) {
    if (drawn.cells <= columns) break;
    form.set(name, (form.get(name) ?? 0) + 1);
    drawn = row();
  }
  const { left, right } = drawn;
  const whole = right.length === 0 ? left : [...padLine(left, columns - lineCells(right)), ...right];
  return cutLine(whole, columns, glyphs.more);
}
