import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario, Stage } from './scenario.ts';

const config = (name: string, ...args: string[]): Scenario => ({
  name: `config: ${name}`,
  args: ['config', ...args],
});

const before = (
  scenario: Scenario,
  prepare: NonNullable<Scenario['prepare']>,
  skip: Scenario['skip'] = false,
): Scenario => ({ ...scenario, prepare, skip });

const noModes = process.platform === 'win32' && 'Windows has no permission bits';

const editor = (name: string, script: string): Scenario =>
  before(
    config(name, 'edit'),
    async ({ box, write }: Stage) => ({
      env: { VISUAL: `sh ${await write(join(box.home, 'editor.sh'), script)}` },
    }),
    noModes,
  );

/** What `larik config` refuses, and what it warns of. */
export const configs: Scenario[] = [
  config('a key that there is not', 'set', 'frobnicate', 'x'),
  config('a misspelt key', 'set', 'efort', 'high'),
  config('a key that is none', 'set', 'models."a', '1'),
  config('a value that is too small', 'set', 'limits.max_steps', '0'),
  config('a number for a text', 'set', 'model', '5'),
  config('a wrong word', 'set', 'mode', 'wild'),
  config('a rule that does not parse', 'set', 'permissions.deny', '["bash("]'),
  config('a rule for a tool that there is not', 'set', 'permissions.allow', '["frob"]'),
  config('no value', 'set', 'model'),
  config('unset of what is not set', 'unset', 'model'),
  config('get of what is not set', 'get', 'model'),
  config('explain of what there is not', 'explain', 'frobnicate'),
  before(config('set into a broken file', 'set', 'model', 'a/b'), async (stage) => {
    await stage.settings('{\n  "mode" "plan"\n}\n');
  }),
  before(config('set into a file in UTF-16', 'set', 'model', 'a/b'), async (stage) => {
    await stage.settings(Buffer.from('{}', 'utf16le'));
  }),
  before(config('set, and a variable has the last word', 'set', 'mode', 'plan'), () =>
    Promise.resolve({ env: { LARIK_MODE: 'yolo' } }),
  ),
  before(config('set in a folder that cannot be made', 'set', 'mode', 'plan'), async (stage) => {
    await rm(stage.config, { recursive: true });
    await stage.write(stage.config, '');
  }),
  before(
    config('set in a folder that may not be written', 'set', 'mode', 'plan'),
    async (stage) => {
      await chmod(stage.config, 0o500);
      stage.later(() => chmod(stage.config, 0o700));
      return stage.asPlainUser();
    },
    noModes,
  ),
  config('no editor', 'edit'),
  editor('an editor that fails', 'exit 3\n'),
  editor('an editor that leaves a broken file', `echo '{ "mode" "plan" }' > "$1"\n`),
  editor('an editor that leaves an unknown key', `echo '{ "modle": "plan" }' > "$1"\n`),
  before(config('explain of what is ignored', 'explain', 'mode'), async (stage) => {
    await stage.shared('{ "mode": "yolo" }');
  }),
];
