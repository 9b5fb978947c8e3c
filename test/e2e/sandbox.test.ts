import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { sandbox, type RunOptions, type Sandbox } from './larik.ts';

let box: Sandbox;

afterEach(() => box.dispose());

interface Result {
  text: string;
  failed: boolean;
}

/** Runs these calls one after the other through the built program, and answers with their results. */
async function results(calls: { name: string; input: unknown }[], options: RunOptions = {}) {
  const lines = [...calls.map((call) => ({ calls: [call] })), { text: 'done' }];
  await writeFile(join(box.home, 'model.json'), JSON.stringify(lines));
  const ended = await box.run(
    ['-p', 'x', '--model', `script/${join(box.home, 'model.json')}`, '--output', 'json'],
    options,
  );
  const events = ended.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; content?: string; is_error?: boolean });
  const told = events.filter(({ type }) => type === 'tool_end');
  return {
    ...ended,
    results: told.map((one): Result => ({ text: JSON.stringify(one), failed: one.is_error === true })),
  };
}

const bash = (command: string, more: object = {}) => ({ name: 'bash', input: { command, ...more } });

describe.skipIf(!isInstalled('bwrap'))('commands of the built program', () => {
  it('run in a sandbox without a question, and write in the project only', { timeout: 60_000 }, async () => {
    box = await sandbox({ 'a.txt': 'a\n', '.claude/settings.json': '{}\n' }, true, {});
    const kept = [
      '.git/hooks/pre-commit',
      '.git/config',
      '.larik/settings.json',
      '.claude/settings.json',
      '.mcp.json',
    ];
    const { results: all, err } = await results(
      [
        bash('echo b > b.txt && cat b.txt'),
        bash('echo x > /var/tmp/larik-e2e-x.txt'),
        bash(
          `for p in ${kept.join(' ')}; do (mkdir -p $(dirname $p); echo x > $p) 2>/dev/null && echo "WROTE $p"; done; true`,
        ),
        bash('echo > /dev/tcp/192.0.2.1/80'),
        bash(
          "node -e \"require('http').createServer((q,r)=>r.end('served')).listen(8123,'127.0.0.1',()=>require('http').get('http://127.0.0.1:8123',(a)=>a.on('data',(d)=>{console.log(String(d));process.exit()})))\"",
        ),
        bash('env'),
        bash('echo y > y.txt', { sandbox: false }),
      ],
      { env: { ANTHROPIC_API_KEY: 'key-of-larik', MY_TOKEN: 'token-of-user' } },
    );
    expect(all.map(({ text }) => text)).toEqual([
      expect.stringContaining('exit code 0'),
      expect.stringMatching(/denied `\/var\/tmp\/larik-e2e-x.txt`/),
      expect.not.stringContaining('WROTE'),
      expect.stringMatching(/Network is unreachable.*`sandbox: false`/),
      expect.stringContaining('served'),
      expect.not.stringMatching(/key-of-larik|token-of-user/),
      expect.stringContaining('nobody is there'),
    ]);
    expect(err).not.toContain('unexpected');
    expect(readFileSync(join(box.project, 'b.txt'), 'utf8')).toBe('b\n');
    expect(['/var/tmp/larik-e2e-x.txt', join(box.project, 'y.txt')].map((path) => existsSync(path))).toEqual([
      false,
      false,
    ]);
    expect(readFileSync(join(box.project, '.claude/settings.json'), 'utf8')).toBe('{}\n');
    expect([readdirSync(box.project).sort(), readdirSync(join(box.project, '.git'))]).toEqual([
      ['.claude', '.git', 'a.txt', 'b.txt'],
      [],
    ]);
  });
});

describe('files of keys', () => {
  it('are kept from the read tools too, and the refusal names the setting', { timeout: 60_000 }, async () => {
    box = await sandbox();
    await mkdir(join(box.home, '.ssh'));
    await writeFile(join(box.home, '.ssh', 'id'), 'PRIVATE');
    const { results: all } = await results([{ name: 'read', input: { path: join(box.home, '.ssh', 'id') } }]);
    expect(all.map(({ text }) => text)).toEqual([expect.stringContaining('sandbox.deny_read')]);
    expect(all[0]?.text).not.toContain('PRIVATE');
  });
});

describe.skipIf(process.platform !== 'linux')('without bubblewrap', () => {
  it('larik works, says how to get it, and asks about commands', { timeout: 60_000 }, async () => {
    box = await sandbox({}, true, {});
    const bin = join(box.home, 'bin');
    await mkdir(bin);
    await symlink('/bin/bash', join(bin, 'bash'));
    const { results: all, out, err } = await results([bash('touch a')], { env: { PATH: bin } });
    expect(out).toContain('apt install bubblewrap');
    expect(err).toContain('bash(touch');
    expect([all.length, existsSync(join(box.project, 'a'))]).toEqual([1, false]);
  });

  it('commands stop if the settings insist on it', { timeout: 60_000 }, async () => {
    box = await sandbox({}, true, { sandbox: { type: 'bubblewrap' }, permissions: { allow: ['bash'] } });
    const bin = join(box.home, 'bin');
    await mkdir(bin);
    await symlink('/bin/bash', join(bin, 'bash'));
    const { results: all, out } = await results([bash('echo > a')], { env: { PATH: bin } });
    expect(out).toContain('apt install bubblewrap');
    expect(all.map(({ text }) => text)).toEqual([expect.stringContaining('insist on a sandbox')]);
    expect(existsSync(join(box.project, 'a'))).toBe(false);
  });
});
