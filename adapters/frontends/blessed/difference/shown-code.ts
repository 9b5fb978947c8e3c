import { visibleLine } from '../../../../domain/text/terminal/visible-text.ts';
import { graphemesOf } from '../text/cells.ts';
import { shownGrapheme } from '../text/shown-grapheme.ts';

const plain = /^[\u0020-\u007e]*$/;
const plainWithTabs = /^[\t\u0020-\u007e]*$/;
/** Blanks that look like the ordinary one. */
const otherBlank = /^(?![ \u3000])\p{Zs}$/u;

const tabStop = 4;

/**
 * A line of a file as it is drawn: blanks for its tabs; what controls a terminal, turns the direction or
 * shows nothing is an escape.
 */
export function shownCode(text: string): string {
  if (plain.test(text)) return text;
  let shown = '';
  let cells = 0;
  const add = (part: string, width: number): void => {
    shown += part;
    cells += width;
  };
  const addTab = (): void => {
    const width = tabStop - (cells % tabStop);
    add(' '.repeat(width), width);
  };
  if (plainWithTabs.test(text)) {
    for (const [at, part] of text.split('\t').entries()) {
      if (at > 0) addTab();
      add(part, part.length);
    }
    return shown;
  }
  for (const grapheme of graphemesOf(text)) {
    if (grapheme === '\t') addTab();
    else if (otherBlank.test(grapheme)) add(visibleLine(grapheme), visibleLine(grapheme).length);
    else {
      const sign = shownGrapheme(grapheme);
      add(sign.text, sign.cells);
    }
  }
  return shown;
}
