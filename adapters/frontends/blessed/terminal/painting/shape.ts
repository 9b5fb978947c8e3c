/** Ranges whose characters every terminal gives two cells: Hangul, kana, ideographs, full-width forms. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;

/** A character with accents that stand over or under it. */
const accented = /^[\u0020-\u1fff][\u0300-\u036f]+$/;

/** Blocks of emoji and other pictures. */
const picture = /[\u{1f000}-\u{1faff}]|\u200d|\ufe0e|\ufe0f/u;

/**
 * True for graphemes that terminals give different widths: emoji and what they are joined of, text that
 * changes its shape, whatever is newer than a terminal's tables. Behind one nobody knows where the cursor
 * stands.
 */
export function isUncertain(grapheme: string, cells: number): boolean {
  if (grapheme.length === 1 && cells === 1) return false;
  if (wide.test(grapheme) || accented.test(grapheme)) return false;
  return cells === 2 || grapheme.length > 1 || picture.test(grapheme);
}
