import { describe, expect, it } from 'vitest';
import { contrast } from '../../../../../adapters/frontends/blessed/look/contrast.ts';
import type { Colour, Theme } from '../../../../../adapters/frontends/blessed/look/theme.ts';
import { contrastProblems, parseTheme } from '../../../../../adapters/frontends/blessed/look/theme-file.ts';
import { themeFor } from '../../../../../adapters/frontends/blessed/look/theme-for.ts';
import { darkTheme, lightTheme } from '../../../../../adapters/frontends/blessed/look/themes.ts';

/** Backgrounds that users' terminals have: black and a common dark theme, white and a common light one. */
const others: Record<Theme['kind'], Colour[]> = {
  dark: ['#000000', '#1e1e2e'],
  light: ['#ffffff', '#fdf6e3'],
};

describe('contrast', () => {
  it('is 21 for black and white, 1 for the same, and as WCAG has it between', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#336699', '#336699')).toBe(1);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ffffff', '#777777')).toBe(contrast('#777777', '#ffffff'));
  });
});

describe.each([darkTheme, lightTheme])('the theme $name', (theme) => {
  const behind = [theme.background, ...Object.values(theme.grounds), ...others[theme.kind]];
  it.each(Object.entries(theme.tones))('shows %s on every ground and on common backgrounds', (_, tone) => {
    expect(Math.min(...behind.map((ground) => contrast(tone, ground)))).toBeGreaterThanOrEqual(4.5);
  });
});

describe('parseTheme', () => {
  it('takes what the file leaves out from the built-in theme of its kind', () => {
    const theme = parseTheme({ kind: 'light', tones: { accent: '#7A00CC' } }, 'violet');
    expect(theme).toEqual({
      ...lightTheme,
      name: 'violet',
      tones: { ...lightTheme.tones, accent: '#7a00cc' },
    });
  });

  it.each([
    [{ kind: 'dark', tones: { accent: 'blue' } }, 'tones.accent: must be a colour such as #1e90ff'],
    [{ kind: 'dark', grounds: { plain: '#000000' } }, 'grounds: Unrecognized key: "plain"'],
    [{}, 'kind: Invalid option: expected one of "dark"|"light"'],
    [[], 'Invalid input: expected object, received array'],
  ])('refuses %j and says where', (json, problem) => {
    expect(() => parseTheme(json, 'mine')).toThrow(`the theme mine cannot be used: ${problem}`);
  });

  it('shows no control characters of a file in its message', () => {
    expect(() => parseTheme({ kind: 'dark', '\u001b[2J': 1 }, 'a\u0007')).toThrow(/^[^\p{Cc}]*$/u);
  });
});

describe('contrastProblems', () => {
  it('tells each tone that is hard to read, with the number, and nothing of the built-in ones', () => {
    const pale = parseTheme({ kind: 'light', tones: { muted: '#999999' } }, 'pale');
    const told = contrastProblems(pale);
    expect(told).toHaveLength(7);
    expect(told[0]).toBe('muted on background has a contrast of 2.7; 4.5 and more reads well');
    expect([darkTheme, lightTheme].flatMap(contrastProblems)).toEqual([]);
  });
});

describe('themeFor', () => {
  const own: Theme = { ...darkTheme, name: 'own' };
  const white = { red: 255, green: 255, blue: 255 };
  const black = { red: 0, green: 0, blue: 0 };
  it.each([
    ['what was chosen, whatever the terminal says', own, white, '0;15', 'own'],
    ['light where the terminal answers a light background', 'auto', white, '15;0', 'light'],
    ['dark where the terminal answers a dark background', 'auto', black, '0;15', 'dark'],
    ['light for COLORFGBG with white behind', 'auto', null, '0;15', 'light'],
    ['light for COLORFGBG with light grey behind', 'auto', null, '0;default;7', 'light'],
    ['dark for COLORFGBG with dark grey behind', 'auto', null, '15;8', 'dark'],
    ['dark for COLORFGBG that says nothing', 'auto', null, '15;default', 'dark'],
    ['dark where nothing is known', 'auto', null, undefined, 'dark'],
  ] as const)('is %s', (_, chosen, background, colorfgbg, name) => {
    expect(themeFor(chosen, [], background, colorfgbg).name).toBe(name);
  });

  it('takes a theme of that name in place of the built-in one', () => {
    const mine: Theme = { ...darkTheme, background: '#000000' };
    expect(themeFor('auto', [mine], null, undefined)).toBe(mine);
  });
});
