import type { IBufferCell, Terminal } from '@xterm/headless';

/** Colours of the terminal itself; the first eight and their bright forms. */
export interface TerminalColours {
  background: string;
  foreground: string;
  ansi: readonly string[];
}

export const darkTerminal: TerminalColours = {
  background: '#15181d',
  foreground: '#d7dae0',
  ansi: ['#15181d', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d7dae0'],
};

export const lightTerminal: TerminalColours = {
  background: '#fbfaf7',
  foreground: '#1f2430',
  ansi: ['#1f2430', '#b02020', '#1a6630', '#7f4f00', '#1d55b4', '#8a3fa0', '#0f6b77', '#59616f'],
};

const cellWidth = 8.43;
const cellHeight = 18;
const fontSize = 14;
const padding = 12;

const hex = (value: number): string => `#${value.toString(16).padStart(6, '0')}`;

/** The colour of a number of the 256. */
function indexed(index: number, colours: TerminalColours): string {
  if (index < 16) return colours.ansi[index % 8] ?? colours.foreground;
  if (index > 231) return hex((8 + (index - 232) * 10) * 0x010101);
  const levels = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((n) => levels[n] ?? 0);
  return hex(((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0));
}

function colourOf(cell: IBufferCell, colours: TerminalColours): { fore: string; back: string } {
  const fore = cell.isFgRGB()
    ? hex(cell.getFgColor())
    : cell.isFgPalette()
      ? indexed(cell.getFgColor(), colours)
      : colours.foreground;
  const back = cell.isBgRGB()
    ? hex(cell.getBgColor())
    : cell.isBgPalette()
      ? indexed(cell.getBgColor(), colours)
      : colours.background;
  return cell.isInverse() === 0 ? { fore, back } : { fore: back, back: fore };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The attributes of a text that do not depend on its place. */
function attributes(cell: IBufferCell, fore: string): string {
  const decoration = [
    ...(cell.isUnderline() === 0 ? [] : ['underline']),
    ...(cell.isStrikethrough() === 0 ? [] : ['line-through']),
  ];
  return [
    `fill="${fore}"`,
    ...(cell.isBold() === 0 ? [] : ['font-weight="bold"']),
    ...(cell.isItalic() === 0 ? [] : ['font-style="italic"']),
    ...(cell.isDim() === 0 ? [] : ['opacity="0.6"']),
    ...(decoration.length === 0 ? [] : [`text-decoration="${decoration.join(' ')}"`]),
  ].join(' ');
}

interface Piece {
  x: number;
  text: string;
  attributes: string;
}

/** One row: what lies behind, and the words, each at its own place, so that no font moves the next one. */
function rowOf(terminal: Terminal, y: number, colours: TerminalColours): string {
  const buffer = terminal.buffer.active;
  const row = buffer.getLine(buffer.viewportY + y);
  if (row === undefined) return '';
  const grounds: { x: number; cells: number; back: string }[] = [];
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  for (let x = 0; x < terminal.cols; x += 1) {
    const cell = row.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const { fore, back } = colourOf(cell, colours);
    const last = grounds.at(-1);
    if (last !== undefined && last.back === back) last.cells += cell.getWidth();
    else grounds.push({ x, cells: cell.getWidth(), back });
    const text = cell.getChars();
    const style = attributes(cell, fore);
    if (text === '' || text === ' ') {
      open = null;
      continue;
    }
    if (open !== null && open.attributes === style && cell.getWidth() === 1 && /^[!-~]$/.test(text)) {
      open.text += text;
      continue;
    }
    const piece: Piece = { x, text, attributes: style };
    pieces.push(piece);
    open = cell.getWidth() === 1 && /^[!-~]$/.test(text) ? piece : null;
  }
  const top = padding + y * cellHeight;
  const left = (x: number): string => (padding + x * cellWidth).toFixed(1);
  return [
    ...grounds
      .filter(({ back }) => back !== colours.background)
      .map(
        ({ x, cells, back }) =>
          `<rect x="${left(x)}" y="${top}" width="${(cells * cellWidth + 0.3).toFixed(1)}" height="${cellHeight + 0.3}" fill="${back}"/>`,
      ),
    ...pieces.map(
      (piece) =>
        `<text x="${left(piece.x)}" y="${top + 13.5}" ${piece.attributes}>${escaped(piece.text)}</text>`,
    ),
  ].join('\n');
}

/** The screen of a terminal as an SVG picture. */
export function pictureOf(terminal: Terminal, colours: TerminalColours, cursor: boolean): string {
  const width = (terminal.cols * cellWidth + 2 * padding).toFixed(0);
  const height = terminal.rows * cellHeight + 2 * padding;
  const rows = Array.from({ length: terminal.rows }, (_, y) => rowOf(terminal, y, colours));
  const { cursorX, cursorY } = terminal.buffer.active;
  const caret = cursor
    ? `<rect x="${(padding + cursorX * cellWidth).toFixed(1)}" y="${padding + cursorY * cellHeight}" width="${cellWidth}" height="${cellHeight}" fill="${colours.foreground}" opacity="0.6"/>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="${colours.background}"/>
<g font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${fontSize}" xml:space="preserve">
${rows.filter((row) => row !== '').join('\n')}
${caret}
</g>
</svg>
`;
}
