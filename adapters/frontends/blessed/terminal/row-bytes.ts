import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';
import type { Line } from '../text/line.ts';
import { endOfLink, resetStyle, type Palette } from './palette.ts';

/** A row for a terminal that scrolls, or for a pipe after it: styled text without a line end. */
export function rowBytes(line: Line, palette: Palette): string {
  const parts = line.map(({ text, style }) => {
    const link = palette.link(style);
    const clean = cleanTerminalText(text).replaceAll('\n', ' ');
    return `${palette.sgr(style)}${link}${clean}${link === '' ? '' : endOfLink}`;
  });
  return parts.length === 0 ? '' : `${parts.join('')}${resetStyle}`;
}
