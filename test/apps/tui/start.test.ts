import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openFolder } from '../../../apps/folder/folder.ts';
import { isFirstStart } from '../../../apps/tui/first-start.ts';
import { frontEndOf } from '../../../apps/tui/tui.ts';

const terminal = { stdin: { isTTY: true }, stdout: { isTTY: true } };

describe('frontEndOf', () => {
  const chosen = (flags: Record<string, string | boolean>, env = {}, streams: object = terminal) =>
    frontEndOf({ flags }, streams as typeof terminal, env);

  it('is the screen at a terminal, and lines where that shows only lines', () => {
    expect(chosen({})).toBe('blessed');
    expect(chosen({}, { TERM: 'dumb' })).toBe('plain');
    expect(chosen({ ui: 'blessed' }, { TERM: 'dumb' })).toBe('blessed');
    expect(chosen({ plain: true })).toBe('plain');
    expect(chosen({ ui: 'plain' })).toBe('plain');
  });

  it('names -p where there is no terminal', () => {
    expect(() => chosen({}, {}, { stdin: {}, stdout: terminal.stdout })).toThrow(
      /^standard input is no terminal.*larik -p/,
    );
    expect(() => chosen({}, {}, { stdin: terminal.stdin, stdout: {} })).toThrow(/^standard output/);
  });

  it('refuses what it does not know, and what only one turn can follow', () => {
    expect(() => chosen({ ui: 'web' })).toThrow('--ui: expected blessed or plain, got "web"');
    expect(() => chosen({ ui: 'blessed', plain: true })).toThrow('exclude each other');
    expect(() => chosen({ output: 'json' })).toThrow('--output goes with -p only');
  });
});

it('takes for a first start what says nothing of a model', async () => {
  const root = await mkdtemp(join(tmpdir(), 'larik-first-'));
  vi.stubEnv('LARIK_HOME', root);
  try {
    const isFirst = async (flags = {}, env = {}) => isFirstStart(await openFolder({ cwd: root }), flags, env);
    expect(await isFirst()).toBe(true);
    expect(await isFirst({ model: 'demo/demo' })).toBe(false);
    expect(await isFirst({ continue: true })).toBe(false);
    expect(await isFirst({}, { LARIK_MODEL: 'demo/demo' })).toBe(false);
    await mkdir(join(root, 'config'));
    await writeFile(join(root, 'config', 'config.json'), '{}');
    expect(await isFirst()).toBe(false);
  } finally {
    vi.unstubAllEnvs();
    await rm(root, { recursive: true });
  }
});
