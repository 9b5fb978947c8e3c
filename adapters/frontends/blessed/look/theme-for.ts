import { luminance } from './contrast.ts';
import type { Theme } from './theme.ts';
import { builtInThemes, darkTheme } from './themes.ts';

/** What a terminal answers about its background; 0 to 255 each. */
export interface Background {
  red: number;
  green: number;
  blue: number;
}

/** `text;background` as numbers of the 16 colours, as rxvt, Konsole and others set it; null if it says nothing. */
function kindOf(colorfgbg: string | undefined): Theme['kind'] | null {
  const last = /(?:^|;)(\d{1,2})$/.exec(colorfgbg ?? '')?.[1];
  const number = Number(last);
  if (last === undefined || number > 15) return null;
  return number === 7 || number >= 9 ? 'light' : 'dark';
}

/**
 * The theme to draw with. `auto` goes by what the terminal answered, then by `COLORFGBG`, then takes the
 * dark one; one of `themes` that is called `dark` or `light` stands in place of the built-in one.
 */
export function themeFor(
  chosen: Theme | 'auto',
  themes: readonly Theme[],
  background: Background | null,
  colorfgbg: string | undefined,
): Theme {
  if (chosen !== 'auto') return chosen;
  const kind =
    background === null
      ? (kindOf(colorfgbg) ?? 'dark')
      : // Black reads as well as white on this one.
        luminance([background.red, background.green, background.blue]) > 0.179
        ? 'light'
        : 'dark';
  return [...themes, ...builtInThemes].find(({ name }) => name === kind) ?? darkTheme;
}
