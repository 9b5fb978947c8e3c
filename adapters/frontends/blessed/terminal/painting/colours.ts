import type { Colour } from '../../look/theme.ts';

/** 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

export function rgbOf(colour: Colour): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

const cubeSteps = [0, 95, 135, 175, 215, 255];

function nearestStep(channel: number): number {
  let nearest = 0;
  for (const [at, step] of cubeSteps.entries()) {
    if (Math.abs(step - channel) < Math.abs((cubeSteps[nearest] ?? 0) - channel)) nearest = at;
  }
  return nearest;
}

function distance([r, g, b]: Rgb, [red, green, blue]: Rgb): number {
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
}

/** The nearest of the 240 colours of 256 that are the same on every terminal: a cube and greys. */
export function nearest256(rgb: Rgb): number {
  const steps = rgb.map(nearestStep);
  const [red = 0, green = 0, blue = 0] = steps;
  const [r = 0, g = 0, b = 0] = steps.map((step) => cubeSteps[step] ?? 0);
  const grey = Math.max(0, Math.min(23, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  const level = 8 + grey * 10;
  const isGrey = distance(rgb, [level, level, level]) < distance(rgb, [r, g, b]);
  return isGrey ? 232 + grey : 16 + 36 * red + 6 * green + blue;
}

/** Numbers of the sixteen colours by hue: red, yellow, green, cyan, blue, magenta. */
const hues = [1, 3, 2, 6, 4, 5];

/**
 * Which of the first eight colours has the same hue; null for greys. Those are whatever the user's
 * terminal makes of them, so that brightness says nothing.
 */
export function nearestHue([red, green, blue]: Rgb): number | null {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < most * 0.2 || spread === 0) return null;
  let sixths: number;
  if (most === red) sixths = (green - blue) / spread + 6;
  else if (most === green) sixths = (blue - red) / spread + 2;
  else sixths = (red - green) / spread + 4;
  return hues[Math.round(sixths) % 6] ?? null;
}
