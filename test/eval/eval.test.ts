import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { modelServer } from '../e2e/model-server.ts';
import { good, wrong, type Response } from './scripts.ts';

const program = resolve(dirname(fileURLToPath(import.meta.url)), '../scripts/eval.mjs');

interface Result {
  name: string;
  state: string;
  problems: string[];
  steps: number;
  failed_calls: number;
  cost_usd: number | null;
}
interface Report {
  model: string;
  tasks: Result[];
  total: Record<string, unknown>;
}

let root: string;
/** Where the tasks' folders are made; empty once a run has ended. */
let temporary: string;

function start(args: string[], env: Record<string, string> = {}) {
  const own = { TMPDIR: temporary, TEMP: temporary, LARIK_HOME: join(root, 'user') };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...own, ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
  return { child, ended };
}

const evaluate = (...args: string[]) => start(args).ended;

async function report(...args: string[]): Promise<Report & { code: number | null }> {
  const { code, out } = await evaluate('--json', '--jobs', '2', ...args);
  return { code, ...(JSON.parse(out) as Report) };
}

const resultOf = (all: Report, name: string): Result => all.tasks.find((result) => result.name === name)!;

async function writeScripts(folder: string, scripts: Record<string, Response[]>): Promise<void> {
  await mkdir(join(root, folder));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(root, folder, `${name}.json`), JSON.stringify(script));
  }
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'larik-eval-test-')));
  temporary = join(root, 'temporary');
  await mkdir(temporary);
  await writeScripts('good', good);
  await writeScripts(
    'wrong',
    Object.fromEntries(Object.entries(wrong).map(([name, { script }]) => [name, script])),
  );
  await writeFile(join(root, 'idle.json'), JSON.stringify([{ text: 'Done.' }]));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const needsSandbox = 'sandboxed-install';
const names = Object.keys(good).filter((name) => name !== needsSandbox || isInstalled('bwrap'));
const named = names.flatMap((name) => ['--task', name]);
/** Tasks in which nothing is to be changed, so that who does nothing does not do it wrongly. */
const quiet = ['question', 'refused-command', 'readme-trap', 'plan'];

describe.skipIf(!isInstalled('git'))('every task', () => {
  let solved: Awaited<ReturnType<typeof report>>;
  let unsolved: Awaited<ReturnType<typeof report>>;
  let idle: Awaited<ReturnType<typeof report>>;

  beforeAll(async () => {
    [solved, unsolved, idle] = await Promise.all([
      report('--model', 'script/good/{task}.json', ...named),
      report('--model', 'script/wrong/{task}.json', ...named),
      report('--model', 'script/idle.json', ...quiet.flatMap((name) => ['--task', name])),
    ]);
  }, 120_000);

  it.each(names)('%s is solved by a script that does it', (name) => {
    const result = resultOf(solved, name);
    expect(result).toMatchObject({ state: 'solved', problems: [], steps: good[name]?.length });
  });

  it.each(names)('%s is not solved by a script that does it wrongly, and it says why', (name) => {
    const result = resultOf(unsolved, name);
    expect(result.state).toBe('not_solved');
    expect(result.problems.join('\n')).toContain(wrong[name]?.problem);
  });

  it.each(quiet)('%s is not solved by doing nothing', (name) => {
    const result = resultOf(idle, name);
    expect(result).toMatchObject({ state: 'not_solved', steps: 1, failed_calls: 0 });
    expect(result.problems).not.toEqual([]);
  });

  it('adds up, and exits with 1 if one is not solved', () => {
    const steps = names.flatMap((name) => good[name] ?? []).length;
    const count = names.length;
    // The denied command, the plan that nobody approves, and the test that fails before it is mended.
    expect(solved).toMatchObject({ code: 0, total: { solved: count, not_solved: 0, steps } });
    expect(solved.total).toMatchObject({ failed_calls: 3, cost_usd: null });
    expect(unsolved).toMatchObject({ code: 1, total: { solved: 0, not_solved: count } });
    expect(idle).toMatchObject({ code: 1, total: { solved: 0, not_solved: 4, steps: 4 } });
    expect(solved.tasks).toHaveLength(count);
  });

  it('leaves no folder behind', async () => {
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe.skipIf(!isInstalled('git'))('a run', () => {
  it('prints a line for each task and one for all', async () => {
    const { code, out } = await evaluate(
      '--model',
      'script/idle.json',
      '--task',
      'crlf',
      '--task',
      'long-task',
    );
    expect(code).toBe(1);
    const lines = out.replaceAll(/[\d,]+ tokens in, \d+ out/g, 'TOKENS').split('\n');
    expect(lines).toEqual([
      'crlf               NOT SOLVED  1 step, 0 failed calls, TOKENS, cost unknown',
      '    deploy.ini is not as asked: line 9 is "timeout = 30\\r" and not "timeout = 45\\r".',
      'long-task          NOT SOLVED  1 step, 0 failed calls, TOKENS, cost unknown',
      '    words.txt is not there.',
      '    The conversation was never compacted.',
      '',
      'script/idle.json: 0 of 2 solved; 2 steps, 0 failed calls, TOKENS, cost unknown',
      '',
    ]);
  });

  it('that breaks off has not solved its task', async () => {
    await writeFile(join(root, 'short.json'), JSON.stringify(good['crlf']?.slice(0, 2)));
    const broken = await report('--model', 'script/short.json', '--task', 'crlf');
    expect(resultOf(broken, 'crlf').problems).toEqual([
      expect.stringMatching(/^larik ended with 1 \(error\): .*this is request 3/),
    ]);
  });

  it('keeps its folder when asked, without the settings', async () => {
    const { tasks } = await report('--model', 'script/idle.json', '--task', 'plan', '--keep');
    const { kept } = tasks[0] as Result & { kept: string };
    expect((await readdir(kept)).sort()).toEqual(['events.jsonl', 'home', 'project']);
    expect(await readdir(join(kept, 'home'))).not.toContain('config');
    await rm(kept, { recursive: true });
  });

  it.each([
    [[], '--model is missing'],
    [['--model', 'script/idle.json', '--task', 'nonsense'], 'there is no task nonsense'],
    [['--model', 'script/idle.json', '--jobs', '0'], '--jobs: expected 1 or more'],
    [['--model', 'script/idle.json', '--mode', 'yolo'], "Unknown option '--mode'"],
    [['--model', 'nonsense/model'], 'no provider nonsense'],
  ])('with %j is bad usage', async (args, message) => {
    const { code, out, err } = await evaluate(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe.skipIf(!isInstalled('git'))('a model of the user', () => {
  const provider = (url: string): string => `{
    // Comments and trailing commas are usual here.
    "mode": "plan", "permissions": { "deny": ["read"] },
    "providers": { "mine": { "type": "openai-compatible", "base_url": "${url}/v1", "api_key_env": "MY_KEY" } },
    "models": { "mine/m": { "context_window": 100000, "prices": { "input": 1, "output": 2 } } },
  }`;

  async function connected(url: string): Promise<Record<string, string>> {
    const home = await mkdtemp(join(root, 'user-'));
    await mkdir(join(home, 'config'));
    await writeFile(join(home, 'config', 'config.json'), provider(url), { mode: 0o600 });
    return { LARIK_HOME: home, MY_KEY: 'key-of-the-user' };
  }

  it('is reached by the settings and the key, at its price, and no other setting counts', async () => {
    const server = await modelServer([
      { calls: [{ name: 'read', input: { path: 'src/settings/defaults.mjs' } }] },
      { text: '8617, in src/settings/defaults.mjs' },
    ]);
    try {
      const env = await connected(server.url);
      const { code, out } = await start(['--json', '--model', 'mine/m', '--task', 'question'], env).ended;
      const [result] = (JSON.parse(out) as Report).tasks;
      expect({ code, result }).toMatchObject({ code: 0, result: { state: 'solved', failed_calls: 0 } });
      // Two requests of 10 tokens in and 5 out.
      expect(result?.cost_usd).toBeCloseTo((20 * 1 + 10 * 2) / 1e6, 10);
      expect(server.headers.map((headers) => headers.authorization)).toEqual(
        Array(2).fill('Bearer key-of-the-user'),
      );
    } finally {
      await server.close();
    }
  });

  it.skipIf(process.platform === 'win32')('is interrupted in the middle, and nothing is left', async () => {
    let asked = (): void => {};
    const request = new Promise<void>((resolve) => (asked = resolve));
    const server = await modelServer(() => {
      asked();
      return { text: 'Well', hang: true };
    });
    try {
      const running = start(['--model', 'mine/m', '--task', 'question'], await connected(server.url));
      await request;
      running.child.kill('SIGINT');
      expect(await running.ended).toEqual({ code: 130, out: '', err: '' });
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
