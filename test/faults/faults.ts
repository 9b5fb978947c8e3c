import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { program, type Ended, type Sandbox } from '../e2e/larik.ts';

/** Arguments for a run whose model is this script. */
export async function scripted(box: Sandbox, responses: readonly object[]): Promise<string[]> {
  const file = join(box.home, 'script.json');
  await writeFile(file, JSON.stringify(responses));
  return ['-p', 'work', '--model', `script/${file}`];
}

/** Runs larik in a shell that first does `before`, such as set a limit; `after` is put behind the command. */
export function limited(box: Sandbox, before: string, args: string[], after = ''): Promise<Ended> {
  const line = `${before}; exec "$@" ${after}`;
  const child = spawn('bash', ['-c', line, 'bash', process.execPath, program, ...args], {
    cwd: box.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: box.home, LARIK_HOME: join(box.home, 'larik') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** Lines on standard error that tell an error. */
export function linesOfErrors({ err }: Ended): string[] {
  return err.split('\n').filter((line) => /^(larik|error): /.test(line));
}

/** One message on standard error, nothing on standard output, no stack. */
export function expectOneMessage({ out, err }: Ended, text: RegExp): void {
  expect(out).toBe('');
  expect(err).toMatch(text);
  expect(err).not.toMatch(/\n\s+at /);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
}

/** Files of a project that has many: 100,000 on demand, fewer where every run has to wait for them. */
export const manyFiles = Number(process.env['LARIK_MANY_FILES'] ?? 10_000);

/** Puts as many files into a folder, 1,000 in each folder below; every last one holds `needle`. */
export function fillFolder(folder: string, files = manyFiles): void {
  const each = 1000;
  for (let at = 0; at < files; at += 1) {
    const within = join(folder, `folder-${Math.floor(at / each)}`);
    if (at % each === 0) mkdirSync(within, { recursive: true });
    writeFileSync(join(within, `file-${at}.txt`), at % each === each - 1 ? 'needle\n' : '');
  }
}
