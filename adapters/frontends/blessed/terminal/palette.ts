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

/** What the ground says of a text, said by the text's own colour. */
function toneOfGround(ground: Style['ground']): Tone | null {
  if (ground === 'added' || ground === 'addedWord') return 'success';
  return ground === 'removed' || ground === 'removedWord' ? 'error' : null;
}

/** Of 256 colours the dark and the pale ones are greys: a text without a colour of its own tells what its ground is. */
function exactColours(style: Style, theme: Theme, isFull: boolean): Codes {
  const { tone: own = 'text', ground = 'plain' } = style;
  const tone = own === 'text' && !isFull ? (toneOfGround(ground) ?? own) : own;
  const codes: Codes = [];
  // The terminal's own foreground stands for text on its own background: that pair can always be read.
  const add = (layer: number, colour: Theme['background']): void => {
    const rgb = rgbOf(colour);
    codes.push(isFull ? `${layer};2;${rgb.join(';')}` : `${layer};5;${nearest256(rgb)}`);
  };
  if (tone !== 'text' || ground !== 'plain') add(38, theme.tones[tone]);
  if (ground !== 'plain') add(48, theme.grounds[ground]);
  return codes;
}

/** Whether it is what differs within a line; where there are no grounds for that, a line under it tells. */
function isWord({ ground }: Style): boolean {
  return ground === 'addedWord' || ground === 'removedWord';
}

/** Of sixteen colours the background stays: what was added or removed is told by the text's colour. */
function fewColours(style: Style, theme: Theme): Codes {
  const { tone = 'text', ground = 'plain' } = style;
  if (ground === 'selected') return [7];
  const shown = toneOfGround(ground) ?? tone;
  const word = isWord(style) ? [4] : [];
  if (shown === 'text') return [];
  if (shown === 'muted') return [90];
  const hue = nearestHue(rgbOf(theme.tones[shown]));
  return [...word, hue === null ? 1 : 30 + hue];
}

function noColours(style: Style): Codes {
  const { tone, ground } = style;
  if (ground === 'selected') return [7];
  const isStrong = tone === 'error' || tone === 'warning' || tone === 'accent';
  const isAdded = ground === 'added' || ground === 'addedWord';
  return [...(isWord(style) ? [4] : []), ...(isStrong || isAdded ? [1] : [])];
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
