import type { Theme } from '../../../../../adapters/frontends/blessed/look/theme.ts';

/** Colours that are easy to tell apart in bytes. */
export const testTheme: Theme = {
  name: 'test',
  kind: 'dark',
  background: '#000000',
  tones: {
    text: '#d0d0d0',
    muted: '#808080',
    accent: '#80a0ff',
    success: '#40c040',
    warning: '#e0a030',
    error: '#ff5050',
  },
  grounds: {
    raised: '#202020',
    selected: '#304060',
    added: '#103010',
    removed: '#401010',
    addedWord: '#206020',
    removedWord: '#702020',
  },
};
