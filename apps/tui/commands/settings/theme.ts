import type { Choice, Outcome } from '../../../../adapters/frontends/host.ts';
import { builtInThemes } from '../../../../adapters/frontends/blessed/look/themes.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { contrastNotice } from '../../own-themes.ts';
import type { Program } from '../../program.ts';
import { screenSettings, themeNamed } from '../../screen-settings.ts';
import { type Command, dialog, dialogId, problem } from '../command.ts';

async function setTheme(name: string, program: Program): Promise<Outcome> {
  const { themes } = program.screen();
  if (name !== 'auto' && themeNamed(name, themes) === undefined) {
    const known = ['auto', ...[...builtInThemes, ...themes].map((theme) => oneLine(theme.name))];
    return problem(`there is no theme ${oneLine(name)}; there are ${known.join(', ')}`);
  }
  await program.save(['theme'], name);
  return { type: 'settings', settings: program.screen() };
}

/** `/theme`: the colours of the screen, shown as they are marked. */
export const theme: Command = {
  async run({ argument, program }) {
    const { themes, problems } = await program.loadThemes();
    if (argument !== '') return setTheme(argument, program);
    const now = program.folder.settings.screen.theme;
    const rows = [...builtInThemes, ...themes].map(({ name, kind }): Choice => ({
      value: name,
      label: oneLine(name),
      detail: `for ${kind} terminals`,
      current: name === now,
    }));
    const wrong = [...problems, ...themes.flatMap((own) => contrastNotice(own) ?? [])];
    return dialog({
      id: dialogId('theme'),
      title: 'Theme',
      ...(wrong.length === 0 ? {} : { text: wrong.join('\n\n') }),
      choices: [
        { value: 'auto', label: 'auto', detail: 'as the terminal is', current: now === 'auto' },
        ...rows,
      ],
      previews: true,
    });
  },
  choose: ({ value, program }) => setTheme(value, program),
  preview(value, program) {
    const { screen } = program.folder.settings;
    return screenSettings({ ...screen, theme: value }, program.screen().themes);
  },
};
