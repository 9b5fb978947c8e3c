import type { Colour } from './theme.ts';

/** What WCAG asks for between a text and what lies behind it. */
export const leastContrast = 4.5;

/** Red, green and blue of a colour, 0 to 255. */
function channels(colour: Colour): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Relative luminance by WCAG 2, 0 to 1; channels from 0 to 255. */
export function luminance([red, green, blue]: readonly [number, number, number]): number {
  const linear = (channel: number): number => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast of two colours by WCAG 2: 1 for the same, 21 for black and white. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(channels(one)), luminance(channels(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
