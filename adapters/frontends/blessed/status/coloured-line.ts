import type { Line, Span, Style, Tone } from '../text/line.ts';
import { shownPart } from '../text/shown-row.ts';

/** Sequences that set colours and weight (SGR); all others are taken out of what stands between them. */
const sgr = /\u001b\[([0-9:;]*)m/;

/** More sequences than this are no line of a status. */
const mostParts = 500;

const ofSixteen: readonly Tone[] = [
  'muted',
  'error',
  'success',
  'warning',
  'accent',
  'accent',
  'accent',
  'text',
];

/** What the colour comes nearest to in meaning; channels from 0 to 255. */
function ofChannels(red: number, green: number, blue: number): Tone {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (range < 40) return most < 170 ? 'muted' : 'text';
  const hue =
    most === red
      ? ((((green - blue) / range) % 6) + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  if (hue < 0.4 || hue >= 5.6) return 'error';
  if (hue < 1.15) return 'warning';
  return hue < 2.7 ? 'success' : 'accent';
}

function ofIndex(index: number): Tone {
  if (index < 16) return index === 8 ? 'muted' : (ofSixteen[index % 8] ?? 'text');
  if (index >= 232) return index < 246 ? 'muted' : 'text';
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step);
  const at = index - 16;
  return ofChannels(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6));
}

/** The tone of `38;5;n` or `38;2;r;g;b`, and how many numbers it takes; a ground takes as many. */
function extended(numbers: readonly number[], at: number): { tone: Tone | null; used: number } {
  const [kind, first = 0, second = 0, third = 0] = numbers.slice(at + 1, at + 5);
  if (kind === 5) return { tone: ofIndex(Math.min(255, first)), used: 2 };
  if (kind === 2) return { tone: ofChannels(first, second, third), used: 4 };
  return { tone: null, used: 0 };
}

/** `38:2::r:g:b` as `38;2;r;g;b`, and the numbers of all; what is left out is 0. */
function numbersOf(parameters: string): number[] {
  return parameters
    .split(';')
    .flatMap((part) => {
      const numbers = part.split(':');
      return numbers.length >= 6 && numbers[1] === '2' ? numbers.toSpliced(2, 1) : numbers;
    })
    .map((digits) => Math.min(9999, Number(digits) || 0));
}

/** The style after one such sequence. Grounds, blinking and what hides text are left out. */
function styleAfter(style: Style, parameters: string): Style {
  const numbers = numbersOf(parameters);
  let next: Style = style;
  const without = (...keys: (keyof Style)[]): Style =>
    Object.fromEntries(Object.entries(next).filter(([key]) => !keys.includes(key as keyof Style)));
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, tone: 'muted' };
    else if (code === 3) next = { ...next, italic: true };
    else if (code === 4) next = { ...next, underline: true };
    else if (code === 9) next = { ...next, strike: true };
    else if (code === 22) next = without('bold', ...(next.tone === 'muted' ? (['tone'] as const) : []));
    else if (code === 23) next = without('italic');
    else if (code === 24) next = without('underline');
    else if (code === 29) next = without('strike');
    else if (code === 39) next = without('tone');
    else if (code >= 30 && code <= 37) next = { ...next, tone: ofIndex(code - 30) };
    else if (code >= 90 && code <= 97) next = { ...next, tone: ofIndex(code - 82) };
    else if (code === 38 || code === 48 || code === 58) {
      const { tone, used } = extended(numbers, at);
      if (code === 38 && tone !== null) next = { ...next, tone };
      at += used;
    }
  }
  return next;
}

/**
 * The first line of a command's output, its colours as the tones that come nearest. No other sequence
 * and no control character is left.
 */
export function colouredLine(text: string): Line {
  const [first = ''] = text.trim().split(/\r?\n/);
  const parts = first.split(sgr).slice(0, 2 * mostParts);
  const spans: Span[] = [];
  let style: Style = {};
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 1) style = styleAfter(style, part);
    else {
      const shown = shownPart(part);
      if (shown !== '') spans.push({ text: shown, style });
    }
  }
  return spans;
}
