import { visibleLine } from '../../../../domain/text/terminal/visible-text.ts';
import { cellsOf, graphemesOf } from '../text/cells.ts';
import { shownGrapheme } from '../text/shown-grapheme.ts';

const plain = /^[\u0020-\u007e]*$/;
/** Letters that are seen and join nothing, of scripts that are met most, and tabs. */
const seenWithTabs =
  /^[\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
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
  if (seenWithTabs.test(text)) {
    for (const [at, part] of text.split('\t').entries()) {
      if (at > 0) addTab();
      add(part, cellsOf(part));
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
