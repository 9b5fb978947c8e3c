import { describe, expect, it } from 'vitest';
import type { Theme } from '../../../../../adapters/frontends/blessed/look/theme.ts';
import { capabilitiesOf } from '../../../../../adapters/frontends/blessed/terminal/capabilities.ts';
import { paletteOf } from '../../../../../adapters/frontends/blessed/terminal/palette.ts';
import {
  copySequence,
  notifySequence,
  titleSequence,
} from '../../../../../adapters/frontends/blessed/terminal/terminal-text.ts';
import { testTheme } from './test-theme.ts';

const theme: Theme = {
  ...testTheme,
  tones: { ...testTheme.tones, muted: '#808090', accent: '#5f87ff' },
};

describe('a palette', () => {
  it.each([
    [16_777_216, '\u001b[0;1;38;2;95;135;255m', '\u001b[0;38;2;208;208;208;48;2;48;64;96m'],
    [256, '\u001b[0;1;38;5;69m', '\u001b[0;38;5;252;48;5;238m'],
    [16, '\u001b[0;1;34m', '\u001b[0;7m'],
    [1, '\u001b[0;1m', '\u001b[0;7m'],
  ] as const)('shows a theme in %i colours', (colours, accent, selected) => {
    const palette = paletteOf(theme, { colours, links: true });
    expect(palette.sgr({ tone: 'accent', bold: true })).toBe(accent);
    expect(palette.sgr({ ground: 'selected' })).toBe(selected);
    expect(palette.sgr({})).toBe('\u001b[0m');
    expect(palette.sgr({ italic: true, underline: true, strike: true })).toBe('\u001b[0;3;4;9m');
  });

  it('tells by the text what was added and removed where there are few colours', () => {
    const palette = paletteOf(theme, { colours: 16, links: true });
    expect(['added', 'removed'].map((ground) => palette.sgr({ ground: ground as 'added' }))).toEqual([
      '\u001b[0;32m',
      '\u001b[0;31m',
    ]);
    expect(palette.sgr({ tone: 'muted' })).toBe('\u001b[0;90m');
  });

  it.each([
    [16_777_216, ['0;38;2;208;208;208;48;2;32;96;32', '0;38;2;208;208;208;48;2;112;32;32']],
    [256, ['0;38;5;71;48;5;22', '0;38;5;203;48;5;52']],
    [16, ['0;4;32', '0;4;31']],
    [1, ['0;4;1', '0;4']],
  ] as const)('tells in %i colours which words of a line were added and removed', (colours, expected) => {
    const palette = paletteOf(theme, { colours, links: true });
    const shown = (['addedWord', 'removedWord'] as const).map((ground) => palette.sgr({ ground }));
    expect(shown).toEqual(expected.map((codes) => `\u001b[${codes}m`));
  });

  it('opens links only where they lead to the web or to mail, and nothing in them ends the sequence', () => {
    const { link } = paletteOf(theme, { colours: 256, links: true });
    expect(link({ link: 'https://example.org/ä b' })).toMatch(/;https:\/\/example\.org\/%C3%A4%20b\u001b\\$/);
    expect(link({ link: 'https://example.org/\u001b\\\u0007x' })).toMatch(
      /;https:\/\/example\.org\/\\x\u001b\\$/,
    );
    expect(
      ['file:///etc/passwd', 'javascript:1', `https://${'x'.repeat(3000)}`].map((to) => link({ link: to })),
    ).toEqual(['', '', '']);
    expect(paletteOf(theme, { colours: 256, links: false }).link({ link: 'https://example.org/' })).toBe('');
  });
});

describe('what the environment says of a terminal', () => {
  it.each([
    [{ TERM: 'xterm-256color' }, 256],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 16_777_216],
    [{ TERM: 'xterm-kitty' }, 16_777_216],
    [{ TERM: 'xterm-256color', WT_SESSION: '1' }, 16_777_216],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 16_777_216],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'tmux' }, 256],
    [{ TERM: 'screen', STY: '1' }, 16],
    [{ TERM: 'linux' }, 16],
    [{ TERM: 'dumb' }, 1],
    [{}, 1],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 1],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, 256],
    [{ TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: '3' }, 16_777_216],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, 1],
  ])('gives its colours: %j', (env, colours) => {
    expect(capabilitiesOf(env).colours).toBe(colours);
  });

  it.each([
    [{ TERM: 'xterm', LANG: 'en_GB.UTF-8' }, true],
    [{ TERM: 'xterm', LANG: 'C' }, false],
    [{ TERM: 'xterm', LANG: 'C.UTF-8' }, true],
    [{ TERM: 'xterm', LC_ALL: 'POSIX', LANG: 'en_GB.UTF-8' }, false],
    [{ TERM: 'xterm', LANG: 'de_DE.ISO-8859-1' }, false],
    [{ TERM: 'xterm' }, true],
    [{ TERM: 'linux', LANG: 'en_GB.UTF-8' }, false],
  ])('gives its characters: %j', (env, unicode) => {
    expect(capabilitiesOf(env).unicode).toBe(unicode);
  });

  it('gives what stands between', () => {
    expect(capabilitiesOf({ TERM: 'screen-256color', TMUX: '/tmp/x' })).toMatchObject({
      within: 'tmux',
      links: true,
      notices: 'bell',
    });
    expect(capabilitiesOf({ TERM: 'screen', STY: '1', SSH_TTY: '/dev/pts/1' })).toMatchObject({
      within: 'screen',
      links: false,
      remote: true,
    });
    expect(capabilitiesOf({ TERM: 'linux' })).toMatchObject({
      exactKeys: false,
      clipboard: false,
      titles: false,
    });
  });
});

describe('what a terminal is told beside the screen', () => {
  it('takes a copy, through tmux in both ways, unless it is too long', () => {
    expect(copySequence('hé', { clipboard: true, within: null })).toBe('\u001b]52;c;aMOp\u0007');
    expect(copySequence('a', { clipboard: true, within: 'tmux' })).toBe(
      '\u001b]52;c;YQ==\u0007\u001bPtmux;\u001b\u001b]52;c;YQ==\u0007\u001b\\',
    );
    expect(copySequence('x'.repeat(600), { clipboard: true, within: 'screen' })).toMatch(
      /^\u001bP\u001b\]52;[^\u001b]+\u001b\\\u001bP[^\u001b]+\u0007\u001b\\$/,
    );
    expect(copySequence('x'.repeat(80_000), { clipboard: true, within: null })).toBeNull();
    expect(copySequence('a', { clipboard: false, within: null })).toBeNull();
  });

  it('cannot be led astray by titles and notifications', () => {
    expect(titleSequence('a\u0007b\u001b\\c\nd')).toBe('\u001b]2;abc d\u001b\\');
    expect(notifySequence('done\u0007\u001b]52;c;x', { notices: 'osc 9' })).toBe('\u001b]9;done\u0007');
    expect(notifySequence('done', { notices: 'osc 777' })).toBe('\u001b]777;notify;larik;done\u0007');
    expect(notifySequence('done', { notices: 'bell' })).toBe('\u0007');
  });
});
