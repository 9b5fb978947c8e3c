import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { keyDescriptions } from '../../../../adapters/settings/descriptions.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import { valueAt } from '../../../commands/config/origins.ts';
import { shownValue } from '../../../commands/config/show.ts';
import { effectiveSettings } from '../../../commands/effective-settings.ts';
import type { Program } from '../../program.ts';
import { type Command, dialog, dialogId, problem } from '../command.ts';
import { offeredSettings, type OfferedSetting } from './offered-settings.ts';

const pathOf = (key: string): string[] => key.split('.');

function currentValue(key: string, program: Program): unknown {
  return valueAt(effectiveSettings(program.folder.settings), pathOf(key)) ?? null;
}

function overview(program: Program): Outcome {
  return dialog({
    id: dialogId('config'),
    title: 'Settings',
    choices: offeredSettings.map(({ key, group }) => ({
      value: key,
      label: key,
      detail: shownValue(currentValue(key, program)),
      group,
    })),
    filter: true,
  });
}

function editing({ key, values }: OfferedSetting, program: Program, wrong = ''): Outcome {
  const now = currentValue(key, program);
  const about = keyDescriptions[key] ?? '';
  const shown = {
    id: dialogId('config', key),
    title: key,
    text: [about, wrong === '' ? '' : `**${wrong}**`].filter((part) => part !== '').join('\n\n'),
  };
  if (values === undefined) {
    const initial = now === null ? '' : typeof now === 'string' ? now : JSON.stringify(now);
    return dialog({ ...shown, ask: { label: 'Value', initial } });
  }
  return dialog({
    ...shown,
    choices: values.map((value) => ({ value, label: value, current: value === String(now) })),
  });
}

/** As it was typed: JSON if it is that, else a text; nothing takes the setting away. */
function typedValue(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What can change in a session that goes on, does. */
function takeEffect(offered: OfferedSetting, session: AgentSession, program: Program): Outcome {
  const { limits } = program.folder.settings;
  if (offered.effect === 'screen') return { type: 'settings', settings: program.screen() };
  const saved = `${offered.key} is saved`;
  if (offered.effect === 'limits') {
    session.setLimits(limits);
    return { type: 'changed', text: saved };
  }
  return { type: 'changed', text: `${saved}; it holds from the next session on` };
}

/** `/config`: the settings that people change, with what holds; saved in the personal file. */
export const config: Command = {
  run({ argument, program }) {
    if (argument === '') return overview(program);
    const offered = offeredSettings.find(({ key }) => key === argument);
    return offered === undefined
      ? problem(
          `${oneLine(argument)} cannot be changed here; larik config set ${oneLine(argument)} VALUE does`,
        )
      : editing(offered, program);
  },
  async choose({ step, value, session, program }) {
    const offered = offeredSettings.find(({ key }) => key === (step === '' ? value : step));
    if (offered === undefined) return overview(program);
    if (step === '') return editing(offered, program);
    try {
      await program.save(pathOf(offered.key), typedValue(value));
    } catch (error) {
      if (isPortError(error, 'settings')) return editing(offered, program, oneLine(error.message));
      throw error;
    }
    return takeEffect(offered, session, program);
  },
};
