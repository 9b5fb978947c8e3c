import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario, Stage } from './scenario.ts';

const noModes = process.platform === 'win32' && 'Windows has no permission bits';

/** A command that starts and does nothing else. */
const args = ['config', 'get', 'mode'];

const personal = (name: string, content: string | Uint8Array, file?: string): Scenario => ({
  name: `settings: ${name}`,
  args,
  prepare: async (stage) => {
    if (file !== undefined) await rm(join(stage.config, 'config.json'));
    await stage.settings(content, file);
  },
});

const shared = (name: string, content: object): Scenario => ({
  name: `settings: ${name}`,
  args,
  prepare: async (stage) => void (await stage.shared(JSON.stringify(content))),
});

const env = (name: string, variables: Record<string, string>): Scenario => ({
  name: `settings: ${name}`,
  args,
  prepare: () => Promise.resolve({ env: variables }),
});

const flag = (name: string, ...flags: string[]): Scenario => ({
  name: `settings: ${name}`,
  args: ['-p', 'show a.txt', '--model', 'demo/demo', '--no-session', ...flags],
});

const open = async (stage: Stage, mode: number): Promise<void> =>
  chmod(await stage.settings('{"mode":"plan"}'), mode);

/** Settings and rules that cannot be used as they are. */
export const settings: Scenario[] = [
  personal('a syntax error', '{\n  "model": "demo/demo",\n  "mode" "plan"\n}\n'),
  personal(
    'a syntax error beside deny rules',
    '{\n  "permissions": {"deny": ["bash(rm*)"]},\n  "mode" "plan"\n}\n',
  ),
  personal('no object', '[]'),
  personal('an empty file', ''),
  personal('an unknown key', '{ "modle": "demo/demo" }'),
  personal('an unknown key inside', '{ "permissions": { "denny": ["bash"] } }'),
  personal('a wrong type', '{ "limits": { "max_steps": "many" } }'),
  personal('a wrong word', '{ "mode": "wild" }'),
  personal('a wrong rule list', '{ "permissions": { "deny": "bash" } }'),
  personal('a byte order mark', '\ufeff{ "mode": "plan" }'),
  personal('UTF-16', Buffer.from('{"permissions":{"deny":["bash"]}}', 'utf16le')),
  personal('a broken YAML file', 'mode: plan\n  model: [x\n', 'config.yaml'),
  personal('a rule that does not parse', '{ "permissions": { "allow": ["bash("] } }'),
  personal('a deny rule that does not parse', '{ "permissions": { "deny": ["bash("] } }'),
  personal('a rule for a tool that there is not', '{ "permissions": { "allow": ["frob"] } }'),
  personal('a deny rule for a misspelt tool', '{ "permissions": { "deny": ["bahs(rm*)"] } }'),
  personal(
    'a variable that is not set',
    '{ "providers": { "x": { "type": "openai-compatible", "base_url": "${NOWHERE}" } } }',
  ),
  {
    name: 'settings: two personal files',
    args,
    prepare: async (stage) => {
      await stage.settings('{}');
      await stage.settings('mode: plan\n', 'config.yaml');
    },
  },
  {
    name: 'settings: a folder in the place of the file',
    args,
    prepare: async ({ config }) => {
      await rm(join(config, 'config.json'));
      await mkdir(join(config, 'config.json'));
    },
  },
  {
    name: 'settings: a file that everyone may write',
    args,
    skip: noModes,
    prepare: (stage) => open(stage, 0o666),
  },
  {
    name: 'settings: a file that the group may write',
    args,
    skip: noModes,
    prepare: (stage) => open(stage, 0o660),
  },
  {
    name: 'settings: a file that cannot be read',
    args,
    skip: noModes,
    prepare: async (stage) => {
      await open(stage, 0o000);
      return stage.asPlainUser();
    },
  },
  shared('a shared file that wants too much', {
    permissions: { allow: ['bash'] },
    mode: 'yolo',
    model: 'a/b',
  }),
  shared('a shared file that raises a limit', { limits: { max_steps: 100000 } }),
  env('a bad mode in a variable', { LARIK_MODE: 'wild' }),
  env('a bad budget in a variable', { LARIK_BUDGET: 'much' }),
  flag('a malformed allow rule', '--allow', 'bash('),
  flag('a malformed deny rule', '--deny', 'bash('),
  flag('a deny flag for a misspelt tool', '--deny', 'bahs(rm*)'),
  { name: 'settings: get of a key that there is not', args: ['config', 'get', 'modle'] },
];
