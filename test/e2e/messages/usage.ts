import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';

const run = (name: string, ...args: string[]): Scenario => ({ name, args });

/** Command lines that cannot be obeyed. */
export const usage: Scenario[] = [
  run('usage: no screen'),
  run('usage: a prompt without -p', 'fix the login test'),
  run('usage: no prompt', '-p'),
  run('usage: an unknown option', '-p', 'x', '--modle', 'm'),
  run('usage: an option like nothing else', '-p', 'x', '--frobnicate'),
  run('usage: a prompt that begins with a dash', '-p', '-10 degrees'),
  run('usage: no value', '-p', 'x', '--model'),
  run('usage: an option as a value', '-p', 'x', '--model', '--mode'),
  run('usage: a negative number', '-p', 'x', '--max-steps', '-1'),
  run('usage: a value with a dash', '-p', 'x', '--system-append', '-a'),
  run('usage: a value for a switch', '-p', 'x', '--quiet=yes'),
  run('usage: an option of another command', 'undo', '--budget', '1'),
  run('usage: an option of a command with a run', '-p', 'x', '--dry-run'),
  run('usage: --json with a run', '-p', 'x', '--json'),
  run('usage: a bad mode', '-p', 'x', '--mode', 'wild'),
  run('usage: a mode without its check', '-p', 'x', '--mode', 'auto'),
  run('usage: a bad effort', '-p', 'x', '--effort', 'much'),
  run('usage: a bad number of steps', '-p', 'x', '--max-steps', 'many'),
  run('usage: a bad budget', '-p', 'x', '--budget', 'two'),
  run('usage: a bad time limit', '-p', 'x', '--timeout', '0'),
  run('usage: a model without a provider', '-p', 'x', '--model', '/m'),
  run('usage: a bad output', '-p', 'x', '--output', 'xml'),
  run('usage: no such folder', '-p', 'x', '--cwd', 'nowhere'),
  run('usage: an empty folder', '-p', 'x', '--cwd', ''),
  run('usage: a file as a folder', '-p', 'x', '--cwd', 'a.txt'),
  run('usage: no session and a session', '-p', 'x', '--no-session', '-c'),
  run('usage: an unknown command', 'frobnicate'),
  run('usage: a misspelt command', 'undos'),
  run('usage: a misspelt command with more', 'session', 'list'),
  run('usage: a topic as a command', 'environment'),
  run('usage: help on nothing', 'help', 'nothing'),
  run('usage: help on something misspelt', 'help', 'enviroment'),
  run('usage: a word too many', 'context', 'x'),
  run('usage: two sessions to undo', 'undo', 'a', 'b'),
  run('usage: a word is missing', 'completion'),
  run('usage: another shell', 'completion', 'tcsh'),
  run('usage: sessions alone', 'sessions'),
  run('usage: sessions with another word', 'sessions', 'remove', 'x'),
  run('usage: config alone', 'config'),
  run('usage: config with another word', 'config', 'frob'),
  run('usage: permissions alone', 'permissions'),
  run('usage: permissions of what is no call', 'permissions', 'explain', 'bash(x'),
  run('usage: permissions of a tool that there is not', 'permissions', 'explain', 'frob(x)'),
  run('usage: permissions of a file that there is not', 'permissions', 'test', 'none.jsonl'),
  {
    name: 'usage: permissions of lines that are no cases',
    args: ['permissions', 'explain', '--json'],
    prepare: () => Promise.resolve({ input: '{"tool":\n' }),
  },
  run('usage: permissions of a folder', 'permissions', 'test', '.'),
  {
    name: 'usage: permissions of a file without cases',
    args: ['permissions', 'test', 'cases.jsonl'],
    prepare: async ({ box, write }) => void (await write(join(box.project, 'cases.jsonl'), '\n')),
  },
  {
    name: 'usage: permissions of a case that expects nothing',
    args: ['permissions', 'test', 'cases.jsonl'],
    prepare: async ({ box, write }) =>
      void (await write(join(box.project, 'cases.jsonl'), '{"tool":"bash","input":{"command":"ls"}}\n')),
  },
  {
    name: 'usage: a working directory that is gone',
    args: ['-p', 'x'],
    skip: process.platform !== 'linux' && 'only Linux lets a folder go that is worked in',
    prepare: async ({ box, write }) => {
      const cwd = join(box.project, 'gone');
      // Started in the folder, the shell removes it and becomes larik; a preload does the same here.
      const preload = await write(join(box.home, 'gone.cjs'), `require('fs').rmdirSync(process.cwd());`);
      await write(join(cwd, 'x'), '');
      await rm(join(cwd, 'x'));
      return { cwd, env: { NODE_OPTIONS: `-r ${preload}` } };
    },
  },
  {
    name: 'usage: standard input says nothing',
    args: ['-p', 'show a.txt', '--model', 'demo/demo'],
    prepare: () => Promise.resolve({ openInput: true }),
  },
  {
    name: 'usage: an old Node',
    args: ['-p', 'x'],
    prepare: async ({ box }) => {
      const preload = join(box.home, 'old.cjs');
      await writeFile(
        preload,
        "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
      );
      return { env: { NODE_OPTIONS: `-r ${preload}` } };
    },
  },
];

/** Command lines written for other agents. */
export const foreign: Scenario[] = [
  ['--print', '--yolo', 'x'],
  ['-p', 'x', '--dangerously-skip-permissions'],
  ['-p', 'x', '--allowedTools', 'Bash(ls)', '--disallowedTools', 'Edit'],
  ['-p', 'x', '--output-format', 'stream-json', '--verbose'],
  ['-p', 'x', '--permission-mode', 'acceptEdits', '--max-turns', '3'],
  ['-p', 'x', '--approval-mode', 'auto_edit'],
  ['exec', '--full-auto', '-C', '/tmp', 'x'],
  ['exec', '-a', 'never', '--sandbox', 'workspace-write', 'x'],
  ['-p', 'x', '--append-system-prompt', 'be short', '--add-dir', '../lib'],
  ['-p', 'x', '--mcp-config', 'mcp.json'],
  ['-p', 'x', '-y', '--auto-edit'],
  ['run', 'fix', 'the', 'test'],
  ['resume'],
  ['chat'],
  ['login'],
].map((args) => ({ name: `other agents: ${args.join(' ')}`, args }));
