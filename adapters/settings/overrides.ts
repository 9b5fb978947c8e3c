import { selectableModes } from '../../ports/mode.ts';
import type { Effort } from '../../ports/provider.ts';
import type { LoadedSettings, RuleSource, SettingsProblem } from '../../ports/settings.ts';

/** Flags by their names without dashes, as the command line gives them. */
export type RunFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

export const efforts: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

interface Override {
  /** The flag's or variable's name, for messages. */
  origin: string;
  value: string;
}

/** The flag if it is given, else the variable; an empty variable is none. */
function overrideOf(
  flags: RunFlags,
  env: Environment,
  flag: string,
  variable: string | null,
): Override | null {
  const given = flags[flag];
  if (typeof given === 'string') return { origin: `--${flag}`, value: given };
  const value = variable === null ? undefined : env[variable];
  return variable === null || value === undefined || value === '' ? null : { origin: variable, value };
}

function rules(flags: RunFlags, flag: 'allow' | 'deny'): RuleSource[] {
  const given = flags[flag];
  const texts =
    typeof given === 'string' ? [given] : Array.isArray(given) ? (given as readonly string[]) : [];
  return texts.map((text) => ({ text, origin: `--${flag}` }));
}

/** Whether mode auto may be chosen: the user's own files ask for it or name its model. */
function autoOf({ mode, roles }: LoadedSettings): { model: string | null } | null {
  const model = Object.hasOwn(roles, 'auto') ? (roles['auto'] ?? null) : null;
  return model === null && mode !== 'auto' ? null : { model };
}

/**
 * Lays environment and flags over the files' settings: they hold for this run only, and a flag stands
 * above its variable. A value that is not understood is fatal: what was asked for cannot be had.
 */
export function addOverrides(before: LoadedSettings, flags: RunFlags, env: Environment): LoadedSettings {
  const after: LoadedSettings = { ...before, limits: { ...before.limits } };
  const problems: SettingsProblem[] = [];
  const wrong = ({ origin, value }: Override, expected: string): void => {
    const text = `${origin}: expected ${expected}, got ${JSON.stringify(value)}`;
    problems.push({ level: 'error', text, fatal: true });
  };
  const model = overrideOf(flags, env, 'model', 'LARIK_MODEL');
  if (model !== null && model.value.trim() === '') wrong(model, 'a model such as provider/model');
  else if (model !== null) after.model = model.value;

  const effort = overrideOf(flags, env, 'effort', 'LARIK_EFFORT');
  const knownEffort = efforts.find((one) => one === effort?.value);
  if (knownEffort !== undefined) after.effort = knownEffort;
  else if (effort !== null) wrong(effort, `one of ${efforts.join(', ')}`);

  const mode = overrideOf(flags, env, 'mode', 'LARIK_MODE');
  const auto = autoOf(before);
  if (auto !== null) after.auto = auto;
  const selectable = selectableModes(auto !== null);
  const knownMode = selectable.find((one) => one === mode?.value);
  if (knownMode !== undefined) after.mode = knownMode;
  else if (mode?.value === 'auto') {
    const text = `${mode.origin}: mode auto needs a model that checks calls; name one with: larik config set roles.auto PROVIDER/MODEL`;
    problems.push({ level: 'error', text, fatal: true });
  } else if (mode !== null) wrong(mode, `one of ${selectable.join(', ')}`);

  const budget = overrideOf(flags, env, 'budget', 'LARIK_BUDGET');
  if (budget !== null && /^\d+(\.\d+)?$/.test(budget.value)) after.limits.budgetUsd = Number(budget.value);
  else if (budget !== null) wrong(budget, 'an amount in USD, such as 1.50');

  const steps = overrideOf(flags, env, 'max-steps', null);
  if (steps !== null && /^[1-9]\d{0,8}$/.test(steps.value)) after.limits.maxSteps = Number(steps.value);
  else if (steps !== null) wrong(steps, 'a whole number from 1');

  after.rules = {
    allow: [...before.rules.allow, ...rules(flags, 'allow')],
    ask: before.rules.ask,
    deny: [...before.rules.deny, ...rules(flags, 'deny')],
  };
  after.problems = [...before.problems, ...problems];
  return after;
}
