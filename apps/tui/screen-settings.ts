import type { ScreenSettings } from '../../adapters/frontends/host.ts';
import { builtInThemes } from '../../adapters/frontends/blessed/look/themes.ts';
import type { Theme } from '../../adapters/frontends/blessed/look/theme.ts';
import type { ScreenConfig } from '../../ports/settings.ts';

/** The theme that a name stands for: one of the user's own before a built-in one; undefined: there is none. */
export function themeNamed(name: string, own: readonly Theme[]): Theme | undefined {
  return [...own, ...builtInThemes].find((theme) => theme.name === name);
}

/** What the screen follows, as the settings have it; a theme that there is not counts as `auto`. */
export function screenSettings(config: ScreenConfig, own: readonly Theme[]): ScreenSettings {
  const { theme, keys, mouse, notifications } = config;
  return { theme: themeNamed(theme, own) ?? 'auto', themes: own, keys, mouse, notifications };
}
