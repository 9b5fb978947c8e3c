import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Bubblewrap } from '../../adapters/sandbox/bubblewrap.ts';
import { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { protectedGitNames, protectedNames } from '../../domain/permissions/protected-files.ts';
import type { Row } from './row.ts';

const never = new AbortController().signal;
const calls = 40;

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A home with some of what is hidden and some caches, and a project with a repository. */
function places(root: string): { project: string; home: string } {
  const project = join(root, 'project');
  const home = join(root, 'home');
  const ofHome = ['.ssh', '.aws', '.npm', '.cache/pip', '.cargo/registry', '.cargo/git', 'data', 'cache'];
  for (const folder of [project, ...ofHome.map((path) => join(home, path))])
    mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: project });
  return { project, home };
}

/**
 * What a shell call costs more in the sandbox (spec: quality, "Speed"): calls in it and outside take
 * turns, so that both have the same machine.
 */
export async function sandboxPart(): Promise<Row[]> {
  const path = process.env['PATH'];
  if ((await searchProgram('bwrap', path, null)) === null) return [];
  const root = realpathSync(mkdtempSync('/var/tmp/larik-bench-'));
  const { project, home } = places(root);
  const environment = { PATH: path ?? '', HOME: home };
  const sandbox = new Bubblewrap({
    program: searchProgram('bwrap', path, null),
    nsenter: () => searchProgram('nsenter', path, null),
    project,
    home,
    notes: join(home, 'data', 'sandbox'),
    denyRead: ['.ssh', '.aws', '.gnupg', '.netrc'].map((name) => join(home, name)),
    writable: [],
    own: [join(home, 'data'), join(home, 'cache')],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env: [],
    network: false,
    required: false,
    environment,
    lock: takeFileLock,
  });
  const processes = new LocalProcesses({ outputFolder: join(root, 'output'), environment, sandbox });
  const run = (inside: boolean) => () =>
    processes.run(
      { command: { shell: 'echo a' }, cwd: project, keepBytes: 1000, ...(inside ? {} : { sandbox: false }) },
      never,
    );
  try {
    const first = await timed(run(true));
    const inside: number[] = [];
    const outside: number[] = [];
    const wrapping: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      outside.push(await timed(run(false)));
      inside.push(await timed(run(true)));
      wrapping.push(
        await timed(async () => {
          const command = { file: '/bin/true', args: [] };
          await (await sandbox.wrap(command, { cwd: project, env: environment, set: {} })).release();
        }),
      );
    }
    return [
      {
        name: 'a shell call, more in the sandbox',
        goal: 10,
        unit: 'ms',
        figure: median(inside) - median(outside),
      },
      { name: '  of it larik itself', goal: null, unit: 'ms', figure: median(wrapping) },
      { name: '  such a call outside', goal: null, unit: 'ms', figure: median(outside) },
      { name: '  the first call in the sandbox', goal: null, unit: 'ms', figure: first },
    ];
  } finally {
    await processes.dispose();
    await sandbox.dispose();
    rmSync(root, { recursive: true, force: true });
  }
}
