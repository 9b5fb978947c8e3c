import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import {
  contractCommands,
  fakeProcesses,
  testProcessRunner,
  type ScriptedCommand,
} from '../../../plugins/testing/index.ts';

const never = new AbortController().signal;

testProcessRunner('LocalProcesses', { describe, it, expect }, async () => {
  const cwd = await fs.mkdtemp(join(tmpdir(), 'larik-run-'));
  return {
    runner: new LocalProcesses({ outputFolder: join(cwd, 'output') }),
    cwd,
    end: () => fs.rm(cwd, { recursive: true }),
  };
});

const scripts: Record<string, ScriptedCommand> = {
  [contractCommands.prints]: { output: 'out\nerr\n', exitCode: 3 },
  [contractCommands.long]: { output: 'abcdefghij' },
  [contractCommands.hangs]: { output: 'begun\n', hangs: true },
};

testProcessRunner('FakeProcesses', { describe, it, expect }, async () => ({
  runner: fakeProcesses(({ command, timeoutMs }) => {
    const does = scripts['shell' in command ? command.shell : ''] ?? {};
    return timeoutMs === undefined ? does : { ...does, timedOut: does.hangs === true };
  }),
  cwd: '/',
  end: async () => undefined,
}));

describe('LocalProcesses', () => {
  let at = '';
  let runner: LocalProcesses;
  beforeEach(async () => {
    at = await fs.mkdtemp(join(tmpdir(), 'larik-run-'));
    runner = new LocalProcesses({
      outputFolder: join(at, 'output'),
      environment: { ...process.env, TEST_API_KEY: 'secret', TEST_OTHER: 'open' },
      hiddenVariables: () => ['TEST_API_KEY'],
      variables: { LARIK_PROJECT_DIR: '/p' },
    });
  });
  afterEach(async () => {
    await runner.dispose();
    await fs.rm(at, { recursive: true });
  });
  const run = (shell: string, further: { keepBytes?: number; timeoutMs?: number } = {}, live?: string[]) =>
    runner.run({ command: { shell }, cwd: at, keepBytes: 10_000, ...further }, never, (text) =>
      live?.push(text),
    );
  const alive = (pid: string) => {
    try {
      process.kill(Number(pid), 0);
      // A zombie that its new parent has not collected yet is dead.
      return !/\) Z /.test(execFileSync('cat', [`/proc/${pid.trim()}/stat`], { encoding: 'utf8' }));
    } catch {
      return false;
    }
  };

  it('hands out the environment without keys and with what keeps programs quiet', async () => {
    const { head } = await run(
      'echo "$TEST_API_KEY,$TEST_OTHER,$LARIK,$LARIK_PROJECT_DIR,$PAGER,$EDITOR,$GIT_TERMINAL_PROMPT,$TERM"',
    );
    expect(head).toBe(',open,1,/p,cat,true,0,dumb\n');
  });

  it('keeps head and tail of long output, cut between characters, and all of it in a private file', async () => {
    const result = await run(`printf 'é%.0s' $(seq 100); printf 'x'; printf 'ü%.0s' $(seq 100)`, {
      keepBytes: 33,
    });
    expect({ ...result, durationMs: 0, file: '' }).toEqual({
      exitCode: 0,
      signal: null,
      timedOut: false,
      durationMs: 0,
      sandboxed: false,
      head: 'é'.repeat(16),
      tail: 'ü'.repeat(16),
      omitted: 401 - 64,
      bytes: 401,
      file: '',
    });
    expect(await fs.readFile(result.file ?? '', 'utf8')).toBe(`${'é'.repeat(100)}x${'ü'.repeat(100)}`);
    expect((await fs.stat(result.file ?? '')).mode & 0o777).toBe(0o600);
    expect((await fs.stat(join(at, 'output'))).mode & 0o777).toBe(0o700);
    await runner.dispose();
    expect(await fs.readdir(at)).toEqual([]);
  });

  it('has a file for what is longer than one end, though nothing is left out', async () => {
    const result = await run(`printf 'x%.0s' $(seq 50)`, { keepBytes: 40 });
    expect([result.head, result.omitted, await fs.readFile(result.file ?? '', 'utf8')]).toEqual([
      'x'.repeat(50),
      0,
      'x'.repeat(50),
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'names and keeps no file that the disk took a part of',
    async () => {
      const limitFiles = (size: string) =>
        execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
      limitFiles('4096');
      try {
        const { file, omitted } = await run(`printf 'x%.0s' $(seq 5000)`, { keepBytes: 40 });
        expect({ file, omitted }).toEqual({ file: null, omitted: 4920 });
      } finally {
        limitFiles('unlimited');
      }
      expect(await fs.readdir(join(at, 'output'))).toEqual([]);
    },
  );

  it('leaves the files of scripts where they are if they are to be kept, and no others', async () => {
    const outputFolder = join(at, 'output');
    const keeping = new LocalProcesses({ outputFolder, keepOutput: true });
    const long = { cwd: at, keepBytes: 40 };
    const shell = `printf 'x%.0s' $(seq 50)`;
    const { file } = await keeping.run({ ...long, command: { shell } }, never);
    await keeping.run({ ...long, command: { program: 'bash', args: ['-c', shell] } }, never);
    await keeping.dispose();
    expect((await fs.readdir(outputFolder)).map((name) => join(outputFolder, name))).toEqual([file]);
    expect(await fs.readFile(file ?? '', 'utf8')).toBe('x'.repeat(50));
  });

  it('has a file for long output of a background command, which it removes at the end', async () => {
    const id = await runner.start({ command: { shell: 'seq 100' }, cwd: at, keepBytes: 40 });
    const { file } = await vi.waitUntil(
      async () => {
        const output = await runner.output(id);
        return output.status === 'exited' && output;
      },
      { interval: 5 },
    );
    const lines = Array.from({ length: 100 }, (_, i) => `${i + 1}\n`);
    expect(await fs.readFile(file ?? '', 'utf8')).toBe(lines.join(''));
    await runner.dispose();
    expect(await fs.readdir(at)).toEqual([]);
  });

  it('makes invalid UTF-8 valid', async () => {
    expect((await run(`printf 'a\\377b'`)).head).toBe('a\ufffdb');
  });

  it('keeps the order of output and errors', async () => {
    const { head } = await run('for i in 1 2 3; do echo o$i; echo e$i >&2; done');
    expect(head).toBe('o1\ne1\no2\ne2\no3\ne3\n');
  });

  it('tells syntax errors with the line they are in', async () => {
    const result = await run('echo a\nif then');
    expect([result.exitCode, result.head]).toEqual([
      2,
      expect.stringMatching(/^a\n.*line 2: syntax error.*/s),
    ]);
  });

  it('puts the errors of a program after its output', async () => {
    const command = { program: '/bin/sh', args: ['-c', 'echo e >&2; echo o; exit 4'] };
    const result = await runner.run({ command, cwd: at, keepBytes: 100 }, never);
    expect([result.exitCode, result.head]).toEqual([4, 'o\ne\n']);
  });

  it('says that a program is not there', async () => {
    const command = { program: '/no/such/program', args: [] };
    await expect(runner.run({ command, cwd: at, keepBytes: 100 }, never)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('says in its own words that a command cannot hold a NUL', async () => {
    await expect(run('echo a\0b')).rejects.toMatchObject({
      port: 'process',
      kind: 'io',
      message: 'a command line cannot hold a NUL character',
    });
  });

  it('says how to get bash where there is none', async () => {
    const bare = new LocalProcesses({ outputFolder: at, environment: { PATH: '/nowhere' } });
    await expect(
      bare.run({ command: { shell: 'true' }, cwd: at, keepBytes: 100 }, never),
    ).rejects.toMatchObject({ kind: 'no_shell', message: expect.stringContaining('apt install bash') });
  });

  it('does not look for programs in relative folders of PATH', async () => {
    await fs.writeFile(join(at, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    const local = new LocalProcesses({ outputFolder: at, environment: { PATH: '.:' } });
    const absolute = new LocalProcesses({ outputFolder: at, environment: { PATH: at } });
    expect([await local.find('tool'), await absolute.find('tool')]).toEqual([null, join(at, 'tool')]);
  });

  it('does not look for programs in the project, however PATH names it', async () => {
    const project = await fs.realpath(at);
    const elsewhere = join(project, '..', `${basename(project)}-elsewhere`);
    await fs.mkdir(join(at, 'bin'));
    await fs.mkdir(elsewhere);
    await fs.symlink(join(at, 'bin'), join(elsewhere, 'link'));
    for (const folder of [join(at, 'bin'), elsewhere]) {
      await fs.writeFile(join(folder, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    }
    const PATH = [join(at, 'bin'), join(elsewhere, 'link'), elsewhere].join(':');
    const local = new LocalProcesses({ outputFolder: at, environment: { PATH }, project });
    expect(await local.find('tool')).toBe(join(elsewhere, 'tool'));
    await fs.rm(elsewhere, { recursive: true });
  });

  it('hands commands no part of PATH, and no start-up file, that the folder would give a meaning to', async () => {
    await fs.writeFile(join(at, 'start'), 'echo started\n');
    await fs.writeFile(join(at, 'pwd2'), '#!/bin/sh\necho taken\n', { mode: 0o755 });
    const { PATH } = process.env;
    const environment = { PATH: `.::bin:${PATH}`, BASH_ENV: 'start', ENV: './start' };
    const local = new LocalProcesses({ outputFolder: at, environment });
    const spec = { command: { shell: 'pwd2; echo "$PATH" "$BASH_ENV" "$ENV"' }, cwd: at, keepBytes: 1000 };
    const { head } = await local.run(spec, new AbortController().signal);
    await local.dispose();
    expect(head).toContain('pwd2: command not found');
    expect(head.split('\n').at(-2)).toBe(`${PATH}  `);
  });

  it('ends what ignores TERM', async () => {
    const result = await run('trap "" TERM; echo on; while :; do sleep 1; done', { timeoutMs: 100 });
    expect([result.timedOut, result.head, result.durationMs < 3000]).toEqual([true, 'on\n', true]);
  });

  it('lets what was left in the background live, and ends it at the end', async () => {
    const { head, durationMs } = await run('sleep 60 & echo $!');
    const pid = head.trim();
    expect([alive(pid), durationMs < 1000]).toEqual([true, true]);
    await runner.dispose();
    expect(alive(pid)).toBe(false);
  });

  it('ends background commands at the end', async () => {
    const id = await runner.start({
      command: { shell: 'echo $$; sleep 60; echo' },
      cwd: at,
      keepBytes: 100,
    });
    const text = await vi.waitUntil(async () => (await runner.output(id)).text, { interval: 5 });
    expect(alive(text)).toBe(true);
    await runner.dispose();
    expect(alive(text)).toBe(false);
  });
});
