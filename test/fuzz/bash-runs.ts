import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../installed.ts';
import { standIns } from './shell-grammar.ts';

/** What a line did when bash ran it. */
export interface BashRun {
  /** Stand-ins that ran: the name, then the arguments. */
  ran: string[][];
  /** Files that were there afterwards. */
  written: string[];
}

/** Notes that it ran, and with what, in one write, since several may run at once. */
const standIn = `#!/bin/sh
printf '%s\\001' "\${0##*/}" "$@" '\u0002' >> "$STAND_IN_LOG"
`;

/** Programs that are what they are, since they run others. */
const real = [
  'bash',
  'sh',
  'env',
  'nohup',
  'nice',
  'timeout',
  'setsid',
  'stdbuf',
  'xargs',
  'find',
  'tee',
  'cat',
] as const;

/** Sandboxes that run at once. */
const atOnce = 2;

/**
 * Runs lines in a real bash, in sandboxes in which `/bin` holds stand-ins that note what ran. Only what
 * the lines write in their folder, or in `/tmp`, stays until it is told.
 */
export async function runInBash(lines: readonly string[]): Promise<BashRun[]> {
  const share = Math.max(1, Math.ceil(lines.length / atOnce));
  const shares = Array.from({ length: atOnce }, (_, at) => lines.slice(at * share, (at + 1) * share));
  return (await Promise.all(shares.map(runShare))).flat();
}

async function runShare(lines: readonly string[]): Promise<BashRun[]> {
  if (lines.length === 0) return [];
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'larik-fuzz-')));
  try {
    const bin = join(base, 'bin');
    const work = join(base, 'work');
    mkdirSync(bin);
    mkdirSync(work);
    for (const name of standIns) writeFileSync(join(bin, name), standIn, { mode: 0o755 });
    for (const name of real) {
      const path = programPath(name);
      if (path !== null) copyFileSync(realpathSync(path), join(bin, name));
    }
    copyFileSync(join(import.meta.dirname, 'run-lines.mjs'), join(work, 'run-lines.mjs'));
    writeFileSync(join(work, 'lines.json'), JSON.stringify(lines));
    const run = ['/node', '/work/run-lines.mjs', '/work/lines.json', '/work'];
    const sandbox = spawn('bwrap', [...sandboxArguments(bin, work), ...run], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(sandbox, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the sandbox for the lines ended with ${code}`);
    return JSON.parse(readFileSync(join(work, 'results.json'), 'utf8')) as BashRun[];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function sandboxArguments(bin: string, work: string): string[] {
  const libraries = ['/lib', '/lib64', '/lib32', '/usr/lib', '/usr/lib64', '/usr/libexec'];
  const shown = libraries.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [
    '--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv'.split(' '),
    shown,
    ['--ro-bind', process.execPath, '/node', '--ro-bind', bin, '/usr/bin', '--symlink', 'usr/bin', '/bin'],
    '--proc /proc --dev /dev --tmpfs /tmp --bind'.split(' '),
    [work, '/work', '--chdir', '/work', '--'],
  ].flat();
}
