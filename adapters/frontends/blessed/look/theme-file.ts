import { z } from 'zod';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { contrast, leastContrast } from './contrast.ts';
import type { Colour, Theme } from './theme.ts';
import { darkTheme, lightTheme } from './themes.ts';

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1e90ff')
  .transform((text) => text.toLowerCase() as Colour)
  .optional();

const themeFile = z.strictObject({
  name: z.string().min(1).max(64).optional(),
  kind: z.enum(['dark', 'light']),
  background: colour,
  tones: z
    .strictObject({
      text: colour,
      muted: colour,
      accent: colour,
      success: colour,
      warning: colour,
      error: colour,
    })
    .optional(),
  grounds: z
    .strictObject({
      raised: colour,
      selected: colour,
      added: colour,
      removed: colour,
      addedWord: colour,
      removedWord: colour,
    })
    .optional(),
});

/** Of what is wrong in a file, so much is told. */
const mostTold = 5;

/** The values that are given, over those that are not. */
function over<T extends object>(base: T, given: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const known = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(known) };
}

/**
 * A theme from a file: `kind` and the colours that differ from the built-in theme of that kind. `name`
 * is its name where the file has none. Throws an `Error` that says what is wrong, and where.
 */
export function parseTheme(json: unknown, name: string): Theme {
  // A file is read once, so compiling a parser for it costs more than it gives back.
  const parsed = themeFile.safeParse(json, { jitless: true });
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, mostTold).map(({ path, message }) => {
      const where = path.length === 0 ? '' : `${path.join('.')}: `;
      return oneLine(`${where}${message}`);
    });
    throw new Error(`the theme ${oneLine(name)} cannot be used: ${problems.join('; ')}`);
  }
  const { data } = parsed;
  const base = data.kind === 'dark' ? darkTheme : lightTheme;
  return {
    name: data.name ?? name,
    kind: data.kind,
    background: data.background ?? base.background,
    tones: over(base.tones, data.tones),
    grounds: over(base.grounds, data.grounds),
  };
}

/**
 * Where a theme's colours are hard to tell from what lies behind them, a sentence each. It is told and
 * refuses nothing: a theme is a matter of taste.
 */
export function contrastProblems({ background, tones, grounds }: Theme): string[] {
  const behind = Object.entries({ background, ...grounds });
  return Object.entries(tones).flatMap(([tone, colour]) =>
    behind
      .map(([ground, other]) => ({ ground, found: contrast(colour, other) }))
      .filter(({ found }) => found < leastContrast)
      .map(
        ({ ground, found }) =>
          `${tone} on ${ground} has a contrast of ${found.toFixed(1)}; ${leastContrast} and more reads well`,
      ),
  );
}
