import type { Theme } from './theme.ts';

/** For dark terminals: near black, and the backgrounds that their usual themes have. */
export const darkTheme: Theme = {
  name: 'dark',
  kind: 'dark',
  background: '#15181e',
  tones: {
    text: '#d7dce4',
    muted: '#9aa3b2',
    accent: '#82b4ff',
    success: '#86cf93',
    warning: '#e3b765',
    error: '#ff8f8a',
  },
  grounds: {
    raised: '#20242c',
    selected: '#2a3342',
    added: '#12281a',
    removed: '#33191d',
    addedWord: '#1d402a',
    removedWord: '#5e2730',
  },
};

/** For light terminals: white, and paper. */
export const lightTheme: Theme = {
  name: 'light',
  kind: 'light',
  background: '#fbfaf7',
  tones: {
    text: '#1f2430',
    muted: '#59616f',
    accent: '#1d55b4',
    success: '#1a6630',
    warning: '#7f4f00',
    error: '#b02020',
  },
  grounds: {
    raised: '#f0efea',
    selected: '#dfe8f7',
    added: '#e2f5e5',
    removed: '#fdeceb',
    addedWord: '#c0e6c6',
    removedWord: '#f9d3cf',
  },
};

/** Those that are there without any file. */
export const builtInThemes: readonly Theme[] = [darkTheme, lightTheme];
