import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { fakeProcesses } from '../../../plugins/testing/index.ts';
import { project } from './project.ts';
import { isInstalled } from '../../installed.ts';
import { megabytes } from '../../memory.ts';

const p = project();
const bash = (command: string, further: Record<string, unknown> = {}, signal?: AbortSignal) =>
  p().call('bash', { command, ...further }, signal ? { signal } : {});
/** The output without the line that says how it ended. */
const output = async (command: string) => (await bash(command)).content.replace(/^.*\n/, '');
const alive = (pid: string) => {
  try {
    return !/\) Z /.test(
      execFileSync('cat', [`/proc/${pid.trim()}/stat`], { encoding: 'utf8', stdio: 'pipe' }),
    );
  } catch {
    return false;
  }
};

describe('bash', () => {
  it('says how it ended, how long it took and what it printed', async () => {
    expect((await bash('echo a; echo b >&2')).content).toMatch(/^exit code 0, \d+\.\d s\na\nb\n$/);
    expect(await bash('true')).toEqual({
      content: expect.stringMatching(/^exit code 0, \d\.\d s; no output$/),
    });
    expect(await bash('echo a; exit 7')).toEqual({
      content: expect.stringMatching(/^exit code 7, \d\.\d s\na\n$/),
      isError: true,
    });
    expect((await bash('kill -9 $$')).content).toMatch(/^ended by signal SIGKILL, after /);
  });

  it('runs nothing that holds a NUL, and says how to make one', async () => {
    for (const further of [{}, { run_in_background: true }]) {
      expect(await bash('echo a\0b', further)).toEqual({
        content:
          "Nothing was run: `command` holds a NUL character, which no command line can. Let the command make it, as in `printf '\\0'`.",
        isError: true,
      });
    }
  });

  it('SHELL-01 returns when the shell ends', async () => {
    const begun = performance.now();
    const result = await bash('sleep 60 & echo done');
    expect([performance.now() - begun < 1000, result.content]).toEqual([
      true,
      expect.stringContaining('\ndone\n'),
    ]);
  });

  it('SHELL-04 ends everything at the time limit', async () => {
    const begun = performance.now();
    const result = await bash(`sh -c 'sleep 300 & echo $! > pid; sleep 300'`, { timeout: 1 });
    expect(performance.now() - begun).toBeLessThan(3000);
    expect([result.isError, result.content]).toEqual([
      true,
      'ended at its time limit of 1 s; if it needs longer, give a longer `timeout` (at most 600) or set `run_in_background`; no output',
    ]);
    expect(alive(await p().text('pid'))).toBe(false);
  });

  it('SHELL-06 has an end of file on its input', async () => {
    expect((await bash('cat')).content).toMatch(/no output$/);
    expect(await output('read x; echo "[$x]"')).toBe('[]\n');
    expect(await output(`node -p 'JSON.stringify(fs.readFileSync(0, "utf8"))'`)).toBe('""\n');
    if (isInstalled('python3')) {
      expect(await output(`python3 -c 'input()' 2>&1 || true`)).toContain('EOFError');
    }
    await p().call('bash', { command: 'read x; echo "[$x]"', run_in_background: true });
    const text = await vi.waitUntil(
      async () => /\[\]/.exec((await p().call('bash_output', { id: 'bash_1' })).content),
      { interval: 10 },
    );
    expect(text[0]).toBe('[]');
  });

  it.skipIf(!isInstalled('git'))('SHELL-07 has no pager', { timeout: 60_000 }, async () => {
    const setUp = [
      'git init -q .',
      'git config user.email a@b.c',
      'git config user.name n',
      'for i in $(seq 300); do text="$text$i\n"; printf "commit refs/heads/main\ncommitter n <a@b.c> $((1700000000 + i)) +0000\ndata 2\nc\nM 100644 inline f\ndata <<E\n${text}E\n\n"; done | git fast-import --quiet',
      'git checkout -q main',
    ].join(' && ');
    expect((await bash(setUp)).content).toMatch(/^exit code 0/);
    const begun = performance.now();
    expect((await bash('git log')).content).toContain('commit ');
    expect((await bash('git diff HEAD~200')).content).toContain('+300');
    await bash('man ls; systemctl status');
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('SHELL-10 keeps bounded what prints without end', { timeout: 60_000 }, async () => {
    const before = megabytes();
    const { content } = await bash('yes x | head -c 1000000000', {}, AbortSignal.timeout(60_000));
    expect(megabytes() - before).toBeLessThan(100);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(30_000);
    const [, bytes, file] =
      /\n\[… (\d+) bytes left out; the first 64 MiB of it are in (\S+), for `read` or `grep` …\]\nx\n/.exec(
        content,
      ) ?? [];
    expect(Number(bytes)).toBeGreaterThan(999_960_000);
    expect(content.startsWith('exit code 0, ')).toBe(true);
    expect((await fs.stat(file ?? '')).size).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it('SHELL-11 puts characters together that come in pieces, in the live view too', async () => {
    const result = await bash(`printf '\\303'; sleep 0.3; printf '\\251\\n'`);
    expect(result.content.split('\n')[1]).toBe('é');
    expect(p().bench.progress.join('')).toBe('é\n');
  });

  it('SHELL-14 folds progress bars and takes terminal control away', async () => {
    expect(await output(`for i in $(seq 100); do printf '\\r%d%%' $i; done; echo`)).toBe('100%\n');
    expect(await output(`printf '\\033[31mred\\033[0m \\033]0;T\\007x\\033[2Jy\\n'`)).toBe('red xy\n');
    expect(p().bench.progress.join('')).toBe('100%\nred xy\n');
  });

  it('SHELL-16 says that its working directory is gone', async () => {
    await fs.rm(p().root, { recursive: true });
    expect(await bash('echo x')).toEqual({
      content: `working directory no longer exists: ${p().root}`,
      isError: true,
    });
  });

  it('SHELL-19 stops when interrupted, and keeps what was printed', async () => {
    const abort = new AbortController();
    const running = bash('echo $$ > pid; for i in $(seq 100); do echo $i; sleep 0.1; done', {}, abort.signal);
    await vi.waitUntil(() => p().bench.progress.join('').includes('3\n'), { interval: 5 });
    const begun = performance.now();
    abort.abort();
    const { content, isError } = await running;
    // By itself it would go on for ten seconds; a busy machine takes its time for either.
    expect([isError, performance.now() - begun < 5000]).toEqual([true, true]);
    expect(content).toMatch(/^ended because it was interrupted, after .* s\n1\n2\n3\n/);
    expect(alive(await p().text('pid'))).toBe(false);
  });

  it('names a file whenever it leaves something out', async () => {
    const { content } = await p().call('bash', { command: 'seq 5000 | head -c 1990' }, { outputLimit: 2000 });
    expect(content).toMatch(/bytes left out; all of it is in \S+, for `read` or `grep` …\]/);
  });

  it('limits the time to what the call or the settings say, and at most to ten minutes', async () => {
    const processes = fakeProcesses();
    for (const timeout of [undefined, 5, 120_000]) {
      const input = timeout === undefined ? { command: 'x' } : { command: 'x', timeout };
      await p().call('bash', input, { processes, commandTimeout: 90 });
    }
    expect(processes.specs.map(({ timeoutMs }) => timeoutMs)).toEqual([90_000, 5000, 600_000]);
  });
});

describe('bash_output and bash_stop', () => {
  it('say which commands there are', async () => {
    const call = async (name: string) => (await p().call(name, { id: 'bash_9' })).content;
    expect(await call('bash_output')).toBe('no background command has the id "bash_9"; none was started');
    await bash('true', { run_in_background: true });
    expect(await call('bash_stop')).toBe('no background command has the id "bash_9"; there are: bash_1');
  });

  it('name the file that holds what they leave out', async () => {
    const further = { outputLimit: 2000 };
    const command = 'for i in 1 2 3; do seq 1000; sleep 0.05; done; sleep 60';
    await p().call('bash', { command, run_in_background: true }, further);
    const folder = `${p().root}-output`;
    const [name = ''] = await vi.waitUntil(
      async () => {
        const names = await fs.readdir(folder).catch(() => []);
        return names.length === 1 && (await fs.stat(`${folder}/${names[0]}`)).size === 11_679 && names;
      },
      { interval: 5 },
    );
    const { content } = await p().call('bash_stop', { id: 'bash_1' }, further);
    const left = `older bytes left out; all of it is in ${folder}/${name}, for \`read\` or \`grep\` …]\n`;
    expect([content.startsWith('bash_1: stopped\n[… '), content.includes(left)]).toEqual([true, true]);
    expect(content.endsWith('\n1000\n')).toBe(true);
  });

  it('read on, and end the command', async () => {
    const started = await bash('echo one; sleep 60', { run_in_background: true });
    expect(started.content).toContain('bash_1');
    const first = await vi.waitUntil(
      async () => {
        const { content } = await p().call('bash_output', { id: 'bash_1' });
        return content.includes('one') && content;
      },
      { interval: 10 },
    );
    expect(first).toBe('bash_1: running\none\n');
    expect((await p().call('bash_output', { id: 'bash_1' })).content).toBe('bash_1: running; no new output');
    expect((await p().call('bash_stop', { id: 'bash_1' })).content).toBe('bash_1: stopped; no new output');
    expect(await p().call('bash_output', { id: 'other' })).toEqual({
      content: 'no background command has the id "other"; there are: bash_1',
      isError: true,
    });
  });
});
