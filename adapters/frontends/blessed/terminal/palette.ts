import type { Theme } from '../look/theme.ts';
import type { Style, Tone } from '../text/line.ts';
import type { Capabilities } from './capabilities.ts';
import { nearest256, nearestHue, rgbOf } from './painting/colours.ts';

/** Styles as sequences of the terminal. */
export interface Palette {
  /** Sets the style, whatever was set before; the plain one resets all. */
  sgr(style: Style): string;
  /** What a link begins with (OSC 8); empty without one, or where it is not shown. */
  link(style: Style): string;
}

export const resetStyle = '\u001b[0m';
export const endOfLink = '\u001b]8;;\u001b\\';

/** Longer addresses are not worth their bytes; terminals cut them off anyway. */
const longestLink = 2048;

/** Only addresses that a browser or mail program opens, in printable ASCII. */
function checkedLink(link: string): string | null {
  if (link.length > longestLink || !/^(?:https?:\/\/|mailto:)/i.test(link)) return null;
  return link.replaceAll(/[^\u0021-\u007e]/gu, (character) => {
    const isShown = !/[\p{Cc}\p{Cs}]/u.test(character);
    return isShown ? encodeURIComponent(character) : '';
  });
}

/** A link over several rows lights up as one if its parts have the same id. */
function idOf(link: string): string {
  let hash = 0;
  for (let at = 0; at < link.length; at += 1) hash = (Math.imul(hash, 31) + link.charCodeAt(at)) >>> 0;
  return hash.toString(36);
}

function linkStart(style: Style): string {
  const link = style.link === undefined ? null : checkedLink(style.link);
  return link === null ? '' : `\u001b]8;id=${idOf(link)};${link}\u001b\\`;
}

type Codes = (string | number)[];

function shapeOf(style: Style): Codes {
  const codes: Codes = [];
  if (style.bold === true) codes.push(1);
  if (style.italic === true) codes.push(3);
  if (style.underline === true) codes.push(4);
  if (style.strike === true) codes.push(9);
  return codes;
}

/** The terminal's own foreground stands for text on its own background: that pair can always be read. */
function isOwnText({ tone = 'text', ground = 'plain' }: Style): boolean {
  return tone === 'text' && ground === 'plain';
}

function exactColours(style: Style, theme: Theme, isFull: boolean): Codes {
  const { tone = 'text', ground = 'plain' } = style;
  const codes: Codes = [];
  const add = (layer: number, colour: Theme['background']): void => {
    const rgb = rgbOf(colour);
    codes.push(isFull ? `${layer};2;${rgb.join(';')}` : `${layer};5;${nearest256(rgb)}`);
  };
  if (!isOwnText(style)) add(38, theme.tones[tone]);
  if (ground !== 'plain') add(48, theme.grounds[ground]);
  return codes;
}

/** Of sixteen colours the background stays: what was added or removed is told by the text's colour. */
function fewColours(style: Style, theme: Theme): Codes {
  const { tone = 'text', ground = 'plain' } = style;
  if (ground === 'selected') return [7];
  const shown: Tone = { plain: tone, raised: tone, added: 'success' as const, removed: 'error' as const }[
    ground
  ];
  if (shown === 'text') return [];
  if (shown === 'muted') return [90];
  const hue = nearestHue(rgbOf(theme.tones[shown]));
  return hue === null ? [1] : [30 + hue];
}

function noColours({ tone, ground }: Style): Codes {
  if (ground === 'selected') return [7];
  return tone === 'error' || tone === 'warning' || tone === 'accent' || ground === 'added' ? [1] : [];
}

/** A theme as a terminal with such capabilities can show it. */
export function paletteOf(
  theme: Theme,
  { colours, links }: Pick<Capabilities, 'colours' | 'links'>,
): Palette {
  const coloursOf = (style: Style): Codes => {
    if (colours === 1) return noColours(style);
    return colours === 16 ? fewColours(style, theme) : exactColours(style, theme, colours !== 256);
  };
  return {
    sgr(style) {
      const codes = [...new Set([0, ...shapeOf(style), ...coloursOf(style)])];
      return `\u001b[${codes.join(';')}m`;
    },
    link: (style) => (links ? linkStart(style) : ''),
  };
}
