import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const program = resolve(dirname(fileURLToPath(import.meta.url)), '../../dist/main.js');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** True while the process runs; one that is dead and only not collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** A project and a home of their own, removed by `dispose`. */
export interface Sandbox {
  project: string;
  home: string;
  /** Runs larik to its end. */
  run(args: string[], options?: RunOptions): Promise<Ended>;
  /** Starts larik. */
  start(args: string[], options?: RunOptions): Running;
  dispose(): Promise<void>;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Given to standard input, which then ends; without it there is none. */
  input?: string;
  /** Standard input is a pipe that never ends. */
  openInput?: boolean;
  cwd?: string;
  /** Runs as this user; only root may. */
  uid?: number;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves once this text was printed to either stream. */
  printed(text: string): Promise<void>;
}

function start(args: string[], cwd: string, env: Record<string, string>, options: RunOptions): Running {
  const piped = options.input !== undefined || options.openInput === true;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    stdio: [piped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let out = '';
  let err = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  const look = (): void => {
    for (const wait of waiting) if (out.includes(wait.text) || err.includes(wait.text)) wait.resolve();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => ((out += text), look()));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => ((err += text), look()));
  child.stdin?.on('error', () => undefined); // It ended without reading all of it.
  if (options.input !== undefined) child.stdin?.end(options.input);
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ text, resolve });
      look();
    });
  return { child, ended, printed };
}

/**
 * Makes a project with these files (`.git` as an empty folder unless told otherwise), and a home with
 * these settings: commands run without a sandbox unless a test is about it.
 */
export async function sandbox(
  files: Record<string, string> = {},
  git = true,
  settings: Record<string, unknown> = { sandbox: { type: 'none' } },
): Promise<Sandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'larik-e2e-')));
  const project = join(root, 'project');
  const home = join(root, 'home');
  await mkdir(git ? join(project, '.git') : project, { recursive: true });
  await mkdir(join(home, 'larik', 'config'), { recursive: true });
  await writeFile(join(home, 'larik', 'config', 'config.json'), JSON.stringify(settings));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), content);
  }
  const env = (extra: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LARIK_HOME: join(home, 'larik'),
    LANG: 'C.UTF-8',
    ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] ?? '' } : {}),
    ...extra,
  });
  return {
    project,
    home,
    start: (args, options = {}) => start(args, options.cwd ?? project, env(options.env), options),
    run: (args, options = {}) => start(args, options.cwd ?? project, env(options.env), options).ended,
    dispose: () => rm(root, { recursive: true, force: true }),
  };
}

/** Runs these beside each other, three at a time; the answers are in the order of `items`. */
export async function beside<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const rest = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) answers[one[0]] = await run(one[1]);
  };
  await Promise.all([worker(), worker(), worker()]);
  return answers;
}
