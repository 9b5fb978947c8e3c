import type { ScreenSettings } from '../../adapters/frontends/host.ts';

/** What the screen follows where no setting says otherwise. */
export const defaultScreen: ScreenSettings = {
  theme: 'auto',
  themes: [],
  keys: {},
  mouse: true,
  notifications: true,
};
