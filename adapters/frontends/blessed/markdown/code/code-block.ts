import { cellsOf, graphemesOf } from '../../text/cells.ts';
import { line, lineCells, span, type Line, type Span } from '../../text/line.ts';
import { highlightCode } from '../highlight.ts';

const indent = span('  ');

/** Columns of code that are worth an indent. */
const fewest = 10;

/** A line of code as rows of at most so many cells, parted wherever a row is full: nothing is lost. */
function hardWrapped(row: Line, columns: number): Line[] {
  if (lineCells(row) <= columns) return [row];
  const rows: Span[][] = [[]];
  let used = 0;
  for (const { text, style } of row) {
    let kept = '';
    for (const grapheme of graphemesOf(text)) {
      const cells = cellsOf(grapheme);
      if (used + cells > columns && used > 0) {
        if (kept !== '') rows.at(-1)?.push({ text: kept, style });
        rows.push([]);
        kept = '';
        used = 0;
      }
      kept += grapheme;
      used += cells;
    }
    if (kept !== '') rows.at(-1)?.push({ text: kept, style });
  }
  return rows;
}

/** Rows of lines of code. */
export function codeRows(lines: readonly Line[], columns: number): Line[] {
  const room = columns - indent.text.length;
  if (room < fewest) return lines.flatMap((each) => hardWrapped(each, columns));
  return lines.flatMap((each) =>
    hardWrapped(each, room).map((row) => (row.length === 0 ? row : [indent, ...row])),
  );
}

/** The language that a fence names; null if it names none. */
export function languageOf(info: string | undefined): string | null {
  const [word = ''] = (info ?? '').trim().split(/[\s{,:]/, 1);
  return /^[\w+#.-]{1,20}$/.test(word) ? word : null;
}

/** The row that names the language. */
export function languageRows(language: string | null, columns: number): Line[] {
  return language === null ? [] : codeRows([line(language, { tone: 'muted' })], columns);
}

/** The lines of a block as marked gives it, which has a line end too many behind an empty last line. */
export function linesOfCode(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Code under the name of its language, in colours if they are known. */
export function drawCode(text: string, info: string | undefined, columns: number): Line[] {
  const language = languageOf(info);
  const lines = linesOfCode(text);
  const coloured = language === null ? null : highlightCode(lines.join('\n'), language);
  return [
    ...languageRows(language, columns),
    ...codeRows(coloured ?? lines.map((each) => line(each)), columns),
  ];
}
