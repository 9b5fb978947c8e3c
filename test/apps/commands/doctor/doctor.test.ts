import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { check, ok, warn, type Check } from '../../../../apps/commands/doctor/check.ts';
import { doctorCommand } from '../../../../apps/commands/doctor/doctor.ts';
import {
  lookAtKeyFiles,
  lookAtLocks,
  lookAtPlace,
  lookAtProgram,
} from '../../../../apps/commands/doctor/facts.ts';

async function doctor(checks: Check[], json = false, limitMs = 5000) {
  let out = '';
  const io = { stdout: (text: string) => void (out += text), stderr: () => undefined };
  const code = await doctorCommand(checks, json, io, limitMs);
  return { code, out };
}

describe('larik doctor', () => {
  const good = check(
    'git',
    () => '2.4',
    (version) => [ok('git', version)],
  );
  const odd = check(
    'terminal',
    () => 'x\u001b[2J\ny',
    (name) => [warn('terminal', name, 'set it')],
  );
  const bad: Check = {
    name: 'data',
    run: () => Promise.resolve([{ level: 'fail', name: 'data', text: 'no', remedy: 'make it' }]),
  };

  it('prints a line for each finding, in the order of the checks', async () => {
    expect(await doctor([good, odd])).toEqual({
      code: 0,
      out: 'ok    git       2.4\nwarn  terminal  x\\u{1b}[2J\\ny — set it\n',
    });
  });

  it('ends with 1 when something failed', async () => {
    expect(await doctor([good, bad])).toEqual({
      code: 1,
      out: 'ok    git   2.4\nfail  data  no — make it\n',
    });
  });

  it('prints one JSON value', async () => {
    const { out } = await doctor([good, bad], true);
    expect(JSON.parse(out)).toEqual([
      { level: 'ok', name: 'git', text: '2.4', remedy: null },
      { level: 'fail', name: 'data', text: 'no', remedy: 'make it' },
    ]);
  });

  it('goes on beside a check that hangs, and one that throws', async () => {
    const hangs = check(
      'cache',
      () => new Promise<string>(() => undefined),
      () => [],
    );
    const throws = check(
      'model',
      () => Promise.reject<string>(new Error('broken')),
      () => [],
    );
    const { code, out } = await doctor([hangs, throws, good], true, 20);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { level: 'warn', name: 'cache', text: 'no answer within 0.02 s' },
      { level: 'warn', name: 'model', text: 'cannot be looked at: broken' },
      { level: 'ok', name: 'git' },
    ]);
  });
});

describe('what doctor looks at', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'larik-doctor-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('a program', async () => {
    const path = join(root, 'tool');
    await writeFile(path, '#!/bin/sh\necho "tool version 4.5.6 (x)"\n', { mode: 0o755 });
    const find = (found: string | null) => ({ find: () => Promise.resolve(found) });
    expect(await lookAtProgram(find(path), 'tool')).toEqual({ path, version: '4.5.6' });
    expect(await lookAtProgram(find(join(root, 'none')), 'tool')).toEqual({
      path: join(root, 'none'),
      version: null,
    });
    expect(await lookAtProgram(find(null), 'tool')).toBeNull();
  });

  it('a folder that is there, one to be made, and a file in its place', async () => {
    await mkdir(join(root, 'data'));
    await chmod(join(root, 'data'), 0o750);
    await writeFile(join(root, 'file'), '');
    expect(await lookAtPlace('data', join(root, 'data'))).toMatchObject({
      exists: true,
      writable: true,
      mode: 0o750,
    });
    expect(await lookAtPlace('data', join(root, 'a', 'b'))).toMatchObject({
      exists: false,
      writable: true,
      mode: null,
      isFile: false,
    });
    expect(await lookAtPlace('data', join(root, 'file'))).toMatchObject({ isFile: true, writable: false });
    expect(await lookAtPlace('data', join(root, 'file', 'data'))).toMatchObject({
      isFile: true,
      writable: false,
    });
  });

  it('files with keys', async () => {
    const [key, none] = [join(root, 'a.json'), join(root, 'b.json')];
    await writeFile(key, '{"providers":{"x":{"api_key":"k"}}}', { mode: 0o640 });
    await writeFile(none, '{"providers":{"x":{"api_key_env":"K"}}}', { mode: 0o600 });
    expect(await lookAtKeyFiles([key, none, join(root, 'c.json')])).toEqual([
      { path: key, mode: 0o640, holdsKey: true },
      { path: none, mode: 0o600, holdsKey: false },
    ]);
  });

  it('locks of living and ended processes, and damaged ones', async () => {
    await writeFile(join(root, 's1.lock'), JSON.stringify({ pid: process.pid, host: 'h' }));
    await writeFile(join(root, 's2.lock'), JSON.stringify({ pid: 999_999_998, host: 'h' }));
    await writeFile(join(root, 's3.lock'), 'torn');
    const held = await lookAtLocks(root);
    expect(held.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 's1', pid: process.pid, alive: true },
      { id: 's2', pid: 999_999_998, alive: false },
    ]);
    expect(await lookAtLocks(join(root, 'none'))).toEqual([]);
  });
});
