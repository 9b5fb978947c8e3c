import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario, Stage } from './scenario.ts';

type Call = { name: string; input: object };

const bash = (command: string): Call => ({ name: 'bash', input: { command } });

/** One call of a model, without a sandbox unless the settings say so. */
const called = (name: string, call: Call, settings: object = {}, flags: string[] = []): Scenario => ({
  name: `permissions: ${name}`,
  args: ({ box }) => ['-p', 'x', '--model', `script/${box.home}/model.json`, ...flags],
  prepare: async (stage) => {
    await stage.settings(JSON.stringify({ sandbox: { type: 'none' }, ...settings }));
    await stage.script([{ calls: [call] }, { text: 'done' }]);
  },
});

const explained = (name: string, call: string, ...flags: string[]): Scenario => ({
  name: `permissions: explain ${name}`,
  args: ['permissions', 'explain', call, ...flags],
  prepare: async (stage) => void (await stage.settings(JSON.stringify({ sandbox: { type: 'none' } }))),
});

const trust = (name: string, args: string[], file: object): Scenario => ({
  name: `trust: ${name}`,
  args: ['trust', ...args],
  prepare: async ({ box, write }: Stage) =>
    void (await write(join(box.project, '.mcp.json'), JSON.stringify(file))),
});

const servers = { mcpServers: { files: { command: 'node', args: ['server.js'] } } };

/** What is asked, denied or hidden, and by whom. */
export const permissions: Scenario[] = [
  called('the guard', bash('rm -rf ~'), {}, ['--mode', 'yolo']),
  called('an ask rule', bash('make'), { permissions: { ask: ['bash(make*)'] } }),
  called('a computed command', bash('$CC x.c'), { permissions: { deny: ['bash(rm *)'] } }, [
    '--mode',
    'yolo',
  ]),
  called('a line with a substitution', bash('make $(date)')),
  called('an edit that programs obey', { name: 'write', input: { path: '.npmrc', content: '' } }, {}, [
    '--mode',
    'accept-edits',
  ]),
  called('a protected file', { name: 'write', input: { path: '.git/config', content: '' } }),
  called('a hidden file', { name: 'read', input: { path: '~/.ssh/id' } }),
  called('what running programs hold', { name: 'read', input: { path: '/proc/self/environ' } }),
  {
    ...called('a link that leads out', { name: 'write', input: { path: 'out/a', content: '' } }, {}, [
      '--mode',
      'yolo',
    ]),
    prepare: async (stage) => {
      await mkdir(join(stage.box.home, 'elsewhere'));
      await symlink(join(stage.box.home, 'elsewhere'), join(stage.box.project, 'out'));
      await stage.script([
        { calls: [{ name: 'write', input: { path: 'out/a', content: '' } }] },
        { text: 'done' },
      ]);
    },
  },
  explained('a question', 'bash(make && git diff --output=x)', '--allow', 'bash(git diff*)'),
  explained('what a variable comes to', 'bash(r=rm; $r x)', '--deny', 'bash(rm *)'),
  explained('an edit', 'edit(a.txt)'),
  explained('the guard', 'bash(git push --force)', '--mode', 'yolo'),
  explained('a tool without a subject', 'web_search(x)'),
  trust('what waits', ['list'], servers),
  trust('nobody to ask', ['approve', 'files'], servers),
  trust('a name that is not there', ['approve', 'file', '--yes'], servers),
  trust('nothing to take back', ['revoke', 'files'], servers),
  trust('a name that may not be', ['approve', 'a__b', '--yes'], { mcpServers: { a__b: { command: 'x' } } }),
  {
    name: 'trust: a run where something waits',
    args: ['-p', 'hi', '--model', 'demo/demo'],
    prepare: async ({ box, write }) =>
      void (await write(join(box.project, '.mcp.json'), JSON.stringify(servers))),
  },
  ...[
    ['domains that are none', 'sandbox.allowed_domains', '["*"]'],
    ['a hidden path that is none', 'sandbox.deny_read', '["~/*"]'],
    ['a guard that is neither on nor off', 'guard', 'maybe'],
  ].map(([name = '', key = '', value = '']): Scenario => ({
    name: `config: ${name}`,
    args: ['config', 'set', key, value],
  })),
];
