const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * What a font shows nothing of, or what moves, turns round or joins what stands beside it: controls,
 * directions, zero widths, tags, variation selectors, fillers, halves of characters, and blanks that
 * are not the ordinary one.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}/gu;

/** So many blanks do not yet push anything out of sight. */
const longestRun = 32;

/** A long run of blanks; a blank is one character. */
const blanks = new RegExp(`[ \\t]{${longestRun + 1},}`, 'g');

function countedBlanks(text: string): string {
  return text.replaceAll(blanks, (run) => `‹${run.length} blanks›`);
}

/** `text` with an escape in place of each control and invisible character. */
function withSigns(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return escapes[character] ?? `\\u{${code.toString(16)}}`;
  });
}

/**
 * Text of any number of lines in which nothing can be overlooked (threats: F1, F3): controls
 * and invisible characters are escapes, long runs of blanks their number, and a tab is an arrow. For
 * what a person decides about.
 */
export function visibleText(text: string): string {
  const lines = countedBlanks(text).split('\n');
  return lines.map((line) => line.split('\t').map(withSigns).join('⇥   ')).join('\n');
}

/** `visibleText` in one line, its line ends as escapes. */
export function visibleLine(text: string): string {
  return withSigns(countedBlanks(text));
}
