import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, sandbox, type Ended, type Sandbox } from './larik.ts';

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\n' });
});
afterEach(() => box.dispose());

/** One message on standard error, nothing on standard output, no stack. */
function expectOneMessage({ out, err }: Ended, text: RegExp): void {
  expect(out).toBe('');
  expect(err).toMatch(text);
  expect(err).not.toMatch(/\n\s+at /);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
}

async function personal(text: string): Promise<void> {
  const file = join(box.home, 'larik', 'config', 'config.json');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

describe('bad usage is told once, with exit code 2', () => {
  it.each([
    ['an unknown option', ['-p', 'x', '--modle', 'm'], /--modle.*--model/],
    ['an option without its value', ['-p', 'x', '--model'], /--model/],
    ['an option that looks like a value', ['-p', 'x', '--model', '--mode'], /--model/],
    ['an option of another command', ['undo', '--budget', '1'], /--budget/],
    ['a bad mode', ['-p', 'x', '--mode', 'wild'], /wild/],
    ['a bad number', ['-p', 'x', '--max-steps', 'many'], /--max-steps/],
    ['a bad budget', ['-p', 'x', '--budget', '-'], /--budget/],
    ['a bad time limit', ['-p', 'x', '--timeout', '0'], /--timeout/],
    ['a bad output', ['-p', 'x', '--output', 'xml'], /--output/],
    ['a folder that is not there', ['-p', 'x', '--cwd', 'nowhere'], /nowhere/],
    ['no prompt', ['-p'], /prompt/],
    ['a malformed deny rule', ['-p', 'x', '--deny', 'bash('], /bash\(/],
    ['a deny rule for a misspelt tool', ['-p', 'x', '--deny', 'bahs(rm*)'], /bahs.*bash/],
    ['no session and a session', ['-p', 'x', '--no-session', '-c'], /--no-session/],
    ['a mode without its check', ['-p', 'x', '--mode', 'auto'], /auto/],
    ['an unknown model', ['-p', 'x', '--model', 'antropic/claude'], /anthropic/],
    ['nothing to go on with', ['-p', 'x', '-c'], /session/],
    ['help on nothing', ['help', 'nothing'], /nothing/],
    ['no screen', [], /-p/],
  ])('%s', async (_name, args, text) => {
    const ended = await box.run(args);
    expectOneMessage(ended, text);
    expect(ended.code).toBe(2);
  });

  it('a prompt that begins with a dash comes after --', async () => {
    expect((await box.run(['-p', '--model', 'demo/demo', '--', '--help me'])).code).toBe(0);
  });
});

describe('settings', () => {
  it('CONF-02 names file, line and column of a syntax error, and goes on without that layer', async () => {
    await personal('{\n  "model": "demo/demo",\n  "mode" "plan"\n}\n');
    const { code, err } = await box.run(['-p', 'help']);
    expect(code).toBe(0);
    expect(err).toMatch(/config\.json:3:\d+/);
  });

  it('CONF-02 stops the start when deny rules may be lost', async () => {
    await personal('{\n  "permissions": { "deny": ["bash(rm*)"] },\n  "mode" "plan"\n}\n');
    const ended = await box.run(['-p', 'help']);
    expect(ended.code).toBe(2);
    expectOneMessage(ended, /config\.json:3:\d+/);
  });

  it('stops for a file in another encoding, since it may hold deny rules', async () => {
    const file = join(box.home, 'larik', 'config', 'config.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from('{"permissions":{"deny":["bash"]}}', 'utf16le'));
    expect((await box.run(['-p', 'help'])).code).toBe(2);
  });

  it('says that a sandbox which is asked for is not there', async () => {
    await personal('{ "sandbox": { "type": "bubblewrap" } }');
    const { err } = await box.run(['-p', 'help'], { env: { PATH: box.home } });
    expect(err).toContain('bubblewrap is not installed');
  });

  it('says which key is wrong, and what was expected', async () => {
    await personal('{ "mode": "wild" }');
    expect((await box.run(['-p', 'help'])).err).toMatch(/config\.json:1.*mode.*wild/s);
  });

  it('answers what is in force and where it comes from', async () => {
    await personal('{ "model": "demo/demo" }');
    expect(await box.run(['config', 'get', 'model'])).toMatchObject({ code: 0, out: 'demo/demo\n' });
    expect((await box.run(['config', 'path'])).out).toContain('config.json');
    expect((await box.run(['config', 'get', 'modle'])).code).toBe(2);
  });

  it('shows the rules of a project without their control characters', async () => {
    const file = join(box.project, '.larik', 'settings.json');
    await mkdir(dirname(file), { recursive: true });
    const rule = (tool: string) => `${tool}(\u001b]0;owned\u0007)`;
    await writeFile(file, JSON.stringify({ permissions: { ask: [rule('wierd'), rule('web_search')] } }));
    const { err } = await box.run(['config', 'get', 'mode']);
    expect(err).toContain('owned');
    expect(err).not.toMatch(/[\u001b\u0007]/);
  });

  it('lets a shared file tighten, and says once what of it was ignored', async () => {
    const shared = { permissions: { allow: ['bash'], deny: ['bash(curl*)'] }, mode: 'yolo' };
    await mkdir(join(box.project, '.larik'));
    await writeFile(join(box.project, '.larik', 'settings.json'), JSON.stringify(shared));
    const allowed = await box.run(['permissions', 'explain', 'bash(make)']);
    expect(allowed.out).toContain('ask');
    expect((await box.run(['permissions', 'explain', 'bash(curl x)'])).out).toContain('deny');
    expect(allowed.err).toMatch(/ignored/);
  });
});

describe('trouble outside', () => {
  it('no network is an error of the run that names the address', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const ended = await box.run(['-p', 'go'], { env });
    expect(ended.code).toBe(1);
    expectOneMessage(ended, /127\.0\.0\.1:9/);
  });

  it('no key says which variable to set', async () => {
    const ended = await box.run(['-p', 'go', '--model', 'anthropic/claude-opus-5-5']);
    expect(ended.code).toBe(1);
    expectOneMessage(ended, /ANTHROPIC_API_KEY/);
  });

  it.runIf(process.platform === 'linux')('a data folder that can never be made is told too', async () => {
    const ended = await box.run(['-p', 'show a.txt'], { env: { LARIK_HOME: '/proc/nowhere' } });
    expect(ended.code).toBe(1);
    expectOneMessage(ended, /\/proc\/nowhere.*--no-session/);
  });

  it('a data folder that cannot be written is told, with the way around', async () => {
    const file = join(box.home, 'occupied');
    await writeFile(file, '');
    const env = { LARIK_HOME: file };
    const ended = await box.run(['-p', 'show a.txt'], { env });
    expect(ended.code).toBe(1);
    expectOneMessage(ended, /--no-session/);
    expect((await box.run(['-p', 'show a.txt', '--no-session'], { env })).code).toBe(0);
  });
});

describe('the program itself', () => {
  it('answers --version and --help', async () => {
    expect((await box.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await box.run(['--help'])).out).toContain('larik [-p] [prompt]');
    expect((await box.run(['undo', '--help'])).out).toContain('--dry-run');
  });

  it.skipIf(process.platform !== 'linux').each([['--help'], ['help', 'undo'], ['config', 'path']])(
    'tells that what it prints was lost, and takes a reader that goes: %s %s',
    async (...args) => {
      const words = args.map((word) => `'${word}'`).join(' ');
      const shell = (script: string): Promise<Ended> =>
        new Promise((resolve) => {
          const env = { ...process.env, LARIK_HOME: box.home };
          execFile('bash', ['-c', script], { env, cwd: box.project }, (error, out, err) =>
            resolve({ code: error === null ? 0 : Number(error.code), out, err }),
          );
        });
      const larik = `'${process.execPath}' '${program}' ${words}`;
      const full = await shell(`${larik} > /dev/full`);
      expect(full.code).toBe(1);
      expectOneMessage(full, /standard output cannot be written: the disk is full/);
      const gone = await shell(`{ ${larik}; echo "code $?" >&2; } | true`);
      expect(gone.err).toBe('code 0\n');
    },
  );

  it('says in one sentence that a Node is too old', async () => {
    const preload = join(box.home, 'old.cjs');
    await writeFile(
      preload,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
    );
    const result = await new Promise<{ code: unknown; err: string }>((resolve) => {
      execFile(process.execPath, ['-r', preload, program, '-p', 'x'], (error, _out, err) =>
        resolve({ code: error?.code, err }),
      );
    });
    expect(result.code).toBe(2);
    expect(result.err).toMatch(/^larik: found Node 18\.20\.4, needed is 20\.19.*\n$/);
  });

  it('explains a decision as one line of JSON', async () => {
    const input = JSON.stringify({
      id: 'a',
      tool: 'bash',
      input: { command: 'git status; rm -rf x' },
      rules: { allow: ['bash(git status)'], deny: ['bash(rm*)'] },
    });
    const { out, code } = await box.run(['permissions', 'explain', '--json'], { input });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      id: 'a',
      decision: 'deny',
      because: { rule: { text: 'bash(rm*)' } },
    });
  });

  it('shows a context of at most 12,288 bytes in a fresh git project', async () => {
    const { out } = await box.run(['context', '--json']);
    const size = JSON.parse(out) as { total: number };
    expect(size.total).toBeLessThanOrEqual(12_288);
  });

  it('lists and shows sessions', async () => {
    await box.run(['-p', 'show a.txt', '--model', 'demo/demo']);
    const [session] = JSON.parse((await box.run(['sessions', 'list', '--json'])).out) as {
      id: string;
      title: string;
    }[];
    expect(session?.title).toBe('show a.txt');
    expect((await box.run(['sessions', 'show', session?.id.slice(0, -2) ?? ''])).out).toContain('show a.txt');
    expect((await box.run(['undo', '--dry-run'])).out).toContain('nothing to undo');
  });
});
