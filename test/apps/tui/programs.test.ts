import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StatusFacts } from '../../../adapters/frontends/host.ts';
import { Clipboard } from '../../../apps/tui/clipboard/clipboard.ts';
import { editedText } from '../../../apps/tui/external-editor.ts';
import { programOutput } from '../../../apps/tui/program-output.ts';
import { StatusLine } from '../../../apps/tui/status-line.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const signal = new AbortController().signal;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'larik-programs-'));
});
afterEach(() => rm(root, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(root, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('programOutput', () => {
  const run = (script: string, more: { maxBytes?: number; input?: string; signal?: AbortSignal } = {}) =>
    programOutput(
      {
        command: ['/bin/sh', '-c', script],
        env: { PATH: '/usr/bin:/bin' },
        timeoutMs: 5000,
        maxBytes: more.maxBytes ?? 1000,
        ...(more.input === undefined ? {} : { input: more.input }),
      },
      more.signal ?? signal,
    );

  it('gives input and takes output', async () => {
    const { exitCode, output } = await run('cat; exit 3', { input: 'hello' });
    expect([exitCode, output.toString()]).toEqual([3, 'hello']);
  });

  it('ends a flood, and one that never ends when it is aborted', async () => {
    expect((await run('yes')).exitCode).toBeNull();
    const abort = new AbortController();
    const waiting = run('sleep 60 & wait', { signal: abort.signal });
    abort.abort();
    expect((await waiting).exitCode).toBeNull();
  });

  it('is no failure of ours where the program is missing', async () => {
    const missing = { command: [join(root, 'none')] as [string], env: {}, timeoutMs: 1000, maxBytes: 10 };
    expect(await programOutput(missing, signal)).toEqual({ exitCode: null, output: Buffer.alloc(0) });
  });
});

describe('editedText', () => {
  it('takes what the editor wrote, and leaves no file behind', async () => {
    const editor = await program(
      'ed',
      `cat "$1" > ${root}/seen; stat -c %a "$1" > ${root}/mode; echo new > "$1"; echo "$1" > ${root}/path`,
    );
    const env = { EDITOR: editor };
    expect(await editedText('old', { env, editorEnv: { PATH: '/usr/bin:/bin' } })).toBe('new');
    expect(await readFile(join(root, 'seen'), 'utf8')).toBe('old');
    expect(await readFile(join(root, 'mode'), 'utf8')).toBe('600\n');
    await expect(stat((await readFile(join(root, 'path'), 'utf8')).trim())).rejects.toThrow('ENOENT');
  });

  it('says what is missing, and keeps the text when the editor fails', async () => {
    await expect(editedText('x', { env: {}, editorEnv: {} })).rejects.toThrow('set VISUAL or EDITOR');
    const env = { VISUAL: await program('bad', 'exit 4') };
    await expect(editedText('x', { env, editorEnv: {} })).rejects.toThrow(
      'it ended with 4; the text is as it was',
    );
  });
});

describe('StatusLine', () => {
  const facts: StatusFacts = {
    session: 's1',
    transcript: '/data/s1.jsonl',
    cwd: '/project/sub',
    model: 'anthropic/claude-opus-5-5',
    costUsd: 0.25,
    durationMs: 1000,
    contextTokens: 50_000,
    contextWindow: 200_000,
    mode: 'plan',
  };
  let time = 1000;
  const line = (command: string | null, env: Record<string, string> = { PATH: '/usr/bin:/bin' }) =>
    new StatusLine({
      config: () => (command === null ? null : { command, padding: 0, refresh: 60 }),
      cwd: root,
      project: '/project',
      version: '0.9.0',
      env: () => env,
      redact: (text) => text.replaceAll('secret', '…'),
      now: () => time,
    });

  it('tells the command of the session as Claude Code does', async () => {
    const shown = await line(`cat > ${root}/in; echo "a secret"; echo second`).show(facts, signal);
    expect(shown).toBe('a …');
    expect(JSON.parse(await readFile(join(root, 'in'), 'utf8'))).toMatchObject({
      session_id: 's1',
      transcript_path: '/data/s1.jsonl',
      cwd: '/project/sub',
      model: { id: 'anthropic/claude-opus-5-5', display_name: 'claude-opus-5-5' },
      workspace: { current_dir: '/project/sub', project_dir: '/project' },
      version: '0.9.0',
      cost: { total_cost_usd: 0.25, total_duration_ms: 1000 },
      context_window: { context_window_size: 200_000, used_percentage: 25, remaining_percentage: 75 },
    });
  });

  it('runs it again only where something changed, and not at once', async () => {
    const one = line(`echo x >> ${root}/runs; wc -l < ${root}/runs | tr -d ' '`);
    expect(await one.show(facts, signal)).toBe('1');
    time += 1000;
    expect(await one.show({ ...facts, durationMs: 9000 }, signal)).toBe('1');
    expect(await one.show({ ...facts, mode: 'yolo' }, signal)).toBe('2');
    expect(await one.show({ ...facts, mode: 'default' }, signal)).toBe('2');
    time += 300;
    expect(await one.show({ ...facts, mode: 'default' }, signal)).toBe('3');
    time += 60_000;
    expect(await one.show({ ...facts, mode: 'default' }, signal)).toBe('4');
  });

  it('shows nothing without a command, and of one that fails', async () => {
    expect(await line(null).show(facts, signal)).toBeNull();
    expect(await line('echo x; exit 1').show(facts, signal)).toBeNull();
  });
});

describe('Clipboard', () => {
  const clipboard = (env: Record<string, string>) =>
    new Clipboard({
      platform: 'linux',
      env: { PATH: '/usr/bin:/bin', ...env },
      find: async (name) => ((await readdir(root)).includes(name) ? join(root, name) : null),
    });

  it('writes with the program of the display that is there', async () => {
    await program('wl-copy', `cat > ${root}/wayland`);
    await program('xclip', `cat > ${root}/x11`);
    expect(await clipboard({ DISPLAY: ':0' }).write('text')).toBe(true);
    expect(await readFile(join(root, 'x11'), 'utf8')).toBe('text');
    expect(await clipboard({}).write('text')).toBe(false);
  });

  it('reads a picture, whatever it is called', async () => {
    await writeFile(join(root, 'picture'), png);
    await program('wl-paste', `[ "$3" = image/jpeg ] && cat ${root}/picture`);
    const image = await clipboard({ WAYLAND_DISPLAY: 'w' }).image(signal);
    expect(image).toEqual({ type: 'image', mediaType: 'image/png', data: png.toString('base64') });
  });

  it('takes what is no picture for none', async () => {
    await mkdir(join(root, 'x'), { recursive: true });
    await program('xclip', 'echo "<svg/>"');
    expect(await clipboard({ DISPLAY: ':0' }).image(signal)).toBeNull();
  });
});
