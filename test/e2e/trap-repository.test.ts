import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../apps/command-line/table.ts';
import { isInstalled } from '../installed.ts';
import { beside, sandbox, type Ended, type RunOptions, type Sandbox } from './larik.ts';
import { modelServer, type ModelServer } from './model-server.ts';
import { luringVariables, setTraps } from './traps.ts';

let box: Sandbox;
let thief: ModelServer;
let markers: string;

beforeAll(async () => {
  thief = await modelServer(() => ({ text: 'stolen' }));
  box = await sandbox({}, false);
  markers = join(box.home, '..', 'markers');
  if (isInstalled('git')) await setTraps({ project: box.project, markers }, thief.url);
});
afterAll(async () => {
  await thief.close();
  await box.dispose();
});

/** Traps that were run since, wherever they left their mark. */
async function marked(): Promise<string[]> {
  const inside = await readdir(box.project, { recursive: true });
  return [...(await readdir(markers)), ...inside.filter((name) => name.includes('MARKED-'))].sort();
}

async function clear(): Promise<void> {
  for (const name of await readdir(markers)) await rm(join(markers, name));
  for (const name of await readdir(box.project)) {
    if (name.startsWith('MARKED-')) await rm(join(box.project, name));
  }
}

const larik = (args: string[], options: RunOptions = {}): Promise<Ended> =>
  box.run(args, { ...options, env: { ...luringVariables(box.project), ...options.env } });

async function all(lines: readonly string[][]): Promise<Map<string, Ended>> {
  const ended = await beside(lines, async (line) => [line.join(' '), await larik(line)] as const);
  return new Map(ended);
}

/** What stands behind a first word that needs a second one. */
const second: Readonly<Record<string, string[]>> = {
  get: ['model'],
  explain: ['mode'],
  set: ['effort', 'high'],
  unset: ['effort'],
  test: ['/dev/null'],
  'permissions explain': ['bash(git status)'],
  'sandbox run': ['--', 'pwd'],
  bash: [],
};

/** What answers with its usage where the first word is missing, once the folder is read as for every word. */
const needFirst = ['sessions', 'permissions', 'config', 'completion'];

/** Every command of the table with every first word that it takes, so that a new one is among them. */
function everyCommand(session: string): string[][] {
  const rows = commands.filter(({ name, page }) => name !== '' && page === undefined);
  return rows.flatMap(({ name, operands }): string[][] => {
    const first = Array.isArray(operands?.first) ? (operands.first as readonly string[]) : [];
    return [
      ...(needFirst.includes(name) ? [] : [[name]]),
      ...first.map((word) => {
        const kind = operands?.second?.[word];
        const more = kind === 'session' ? [session] : (second[`${name} ${word}`] ?? second[word] ?? []);
        return [name, word, ...more];
      }),
    ];
  });
}

const call = (name: string, input: object) => ({ calls: [{ name, input }] });

/** One turn that uses every tool, with harmless commands only. */
async function turn(more: string[] = []): Promise<Ended> {
  const lines = [
    call('read', { path: 'a.txt' }),
    call('read', { path: 'a.trap' }),
    call('grep', { pattern: 'one' }),
    call('glob', { pattern: '**/*.txt' }),
    call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' }),
    call('write', { path: 'b.txt', content: 'b\n' }),
    call('bash', { command: 'pwd' }),
    call('bash', { command: 'ls' }),
    { text: 'done' },
  ];
  const file = join(box.home, 'turn.json');
  await writeFile(file, JSON.stringify(lines));
  return larik(['-p', 'go @a.txt', '--model', `script/${file}`, '--mode', 'accept-edits', ...more]);
}

const settings = (value: object): Promise<void> =>
  writeFile(join(box.home, 'larik', 'config', 'config.json'), JSON.stringify(value));

describe.skipIf(!isInstalled('git'))('a repository full of traps', () => {
  beforeEach(clear);

  it('springs them for who works in it unprotected', async () => {
    const shell = (line: string, env: Record<string, string> = {}): void => {
      spawnSync('/bin/sh', ['-c', line], {
        cwd: box.project,
        env: { PATH: process.env['PATH'] ?? '', HOME: box.home, ...env },
        stdio: 'ignore',
      });
    };
    shell('git status; git diff; git add a.trap; git commit -m two; git trap; git fetch; git log --stat');
    shell(
      'printf "protocol=https\\nhost=h\\n\\n" | git credential fill; git -C nested status; git -C bare st',
    );
    shell('git reset -q HEAD~1; git reset -q; cd bare && git st');
    shell('git --version; rg x', luringVariables(box.project));
    shell('bash -c :', { BASH_ENV: '.bashenv' });
    const sprung = (await readdir(markers)).sort();
    expect(sprung).toEqual(
      expect.arrayContaining(
        'bash-env git-alias git-alias-st git-clean git-credential git-ext git-fsmonitor program-git program-rg'.split(
          ' ',
        ),
      ),
    );
    expect(sprung.filter((name) => /^git-(external-diff|textconv|diff-command)$/.test(name))).not.toEqual([]);
    await rm(join(box.project, '.git/index.lock'), { force: true });
  });

  const kinds = [
    ['off', { type: 'none' }],
    ['on', { type: 'auto' }],
  ] as const;
  for (const [state, kind] of kinds) {
    it.skipIf(state === 'on' && !isInstalled('bwrap'))(
      `springs none in a turn, undone and redone, sandbox ${state}`,
      async () => {
        await settings({ sandbox: kind });
        const { code, out, err } = await turn(['--output', 'json']);
        expect([code, err]).toEqual([0, expect.stringContaining('wait for approval')]);
        const ends = out.split('\n').filter((line) => line.includes('"tool_end"'));
        expect(ends.filter((line) => line.includes('"is_error":true'))).toEqual([]);
        expect(ends).toHaveLength(8);
        expect(await readFile(join(box.project, 'a.txt'), 'utf8')).toBe('one\nthree\n');
        expect((await larik(['-p', 'again', '-c', '--model', 'demo/demo'])).code).toBe(0);
        expect((await larik(['undo'])).code).toBe(0);
        expect(await readFile(join(box.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
        expect((await larik(['redo'])).code).toBe(0);
        expect((await larik(['undo'])).code).toBe(0);
        expect(await marked()).toEqual([]);
      },
    );
  }

  it('springs none in any command, and says what waits', async () => {
    await settings({ sandbox: { type: 'auto' } });
    const found = await larik(['sessions', 'list', '--json', '-q']);
    const [session] = JSON.parse(found.out) as { id: string }[];
    const lines = [['--version'], ['--help'], ['-p', 'hi'], ...everyCommand(session?.id ?? 'none')];
    const ended = await all(lines);
    expect(await marked()).toEqual([]);
    for (const [line, { code, err }] of ended) {
      expect([0, 1, 2], line).toContain(code);
      expect(err, line).not.toContain('unexpected');
    }
    expect(ended.get('-p hi')).toMatchObject({ code: 0, err: expect.stringContaining('wait for approval') });
    expect(ended.get('trust list')?.out).toContain('hooks (.claude/settings.json): waits for approval');
    expect(ended.get(`sessions show ${session?.id}`)?.code).toBe(0);
  });

  it('is granted nothing by its settings, and sends requests nowhere else', async () => {
    await settings({ sandbox: { type: 'none' } });
    const own = await modelServer([
      { calls: [{ name: 'bash', input: { command: 'echo x > granted.txt' } }] },
      { text: 'done' },
    ]);
    const ended = await larik(['-p', 'hi', '--model', 'anthropic/claude-opus-5-5'], {
      env: { ANTHROPIC_BASE_URL: own.url, ANTHROPIC_API_KEY: 'key-secret', OPENAI_API_KEY: 'key-secret-2' },
    });
    await own.close();
    expect(ended).toMatchObject({ code: 0, out: 'done\n' });
    expect([own.bodies.length, thief.bodies]).toEqual([2, []]);
    expect(await readdir(box.project)).not.toContain('granted.txt');
    expect(await marked()).toEqual([]);
  });
});
