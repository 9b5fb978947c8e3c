import type { Ground, Tone } from '../text/line.ts';

/** `#rrggbb`. */
export type Colour = `#${string}`;

/**
 * Colours of the screen (spec: tui). The terminal's own background stays; `background` is what the
 * colours were chosen for. Every tone reads on every ground: a test computes the contrast.
 */
export interface Theme {
  name: string;
  kind: 'dark' | 'light';
  background: Colour;
  tones: Record<Tone, Colour>;
  grounds: Record<Exclude<Ground, 'plain'>, Colour>;
}

/** How many colours a terminal shows; 1 is none (`NO_COLOR`). */
export type ColourDepth = 1 | 16 | 256 | 16_777_216;
