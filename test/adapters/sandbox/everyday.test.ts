import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bubblewrap } from '../../../adapters/sandbox/bubblewrap.ts';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { searchProgram } from '../../../adapters/system/processes/program-search.ts';
import { bash } from '../../../adapters/tools/shell/bash.ts';
import { protectedGitNames, protectedNames } from '../../../domain/permissions/protected-files.ts';
import type { ToolContext } from '../../../plugins/sdk/index.ts';
import { isInstalled } from '../../installed.ts';
import { everyday, type EverydayRow } from './everyday.ts';

const path = process.env['PATH'];
const found = new Set<string>();
for (const name of new Set(everyday.flatMap(({ needs = [] }) => needs)))
  if ((await searchProgram(name, path, null)) !== null) found.add(name);

let root: string;
let project: string;
let sandbox: Bubblewrap;
let processes: LocalProcesses;
let environment: Record<string, string>;

/** Version managers that lie in the real home are found from the one of the test. */
function versionManagers(): Record<string, string> {
  const home = homedir();
  return {
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(home, '.rustup'),
    PYENV_ROOT: process.env['PYENV_ROOT'] ?? join(home, '.pyenv'),
  };
}

function call(command: string, more: { timeout?: number; run_in_background?: boolean } = {}) {
  const context = {
    cwd: project,
    processes,
    signal: new AbortController().signal,
    outputLimit: 20_000,
    commandTimeout: 60,
    progress: () => undefined,
  } as unknown as ToolContext;
  return bash.run({ command, ...more }, context);
}

function outside(script: string): void {
  execFileSync('bash', ['-ec', script], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

beforeEach(() => {
  root = realpathSync(mkdtempSync('/var/tmp/larik-everyday-'));
  project = join(root, 'project');
  const home = join(root, 'home');
  for (const folder of [project, home]) mkdirSync(folder);
  const who = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  environment = { PATH: path ?? '', HOME: home, LANG: 'C.UTF-8', ...who, ...versionManagers() };
  sandbox = new Bubblewrap({
    program: searchProgram('bwrap', path, null),
    nsenter: () => searchProgram('nsenter', path, null),
    project,
    home,
    notes: join(root, 'data', 'sandbox'),
    denyRead: [join(home, '.ssh'), join(home, '.gnupg')],
    writable: [],
    own: [join(root, 'data')],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env: [],
    network: false,
    required: false,
    environment,
    lock: takeFileLock,
  });
  processes = new LocalProcesses({ outputFolder: join(root, 'output'), environment, sandbox });
  outside('git init -q -b main && echo a > a && git add a && git commit -qm a');
});

afterEach(async () => {
  await processes.dispose();
  await sandbox.dispose();
  rmSync(root, { recursive: true, force: true });
});

async function tried({ command, setUp, server, timeout }: EverydayRow): Promise<string> {
  if (setUp !== undefined) outside(setUp);
  if (server !== undefined) {
    await call(server, { run_in_background: true });
    const printed = vi.waitUntil(async () => (await processes.output('bash_1')).text.includes('ready'), {
      timeout: 30_000,
    });
    await printed;
  }
  return (await call(command, timeout === undefined ? {} : { timeout })).content as string;
}

describe.skipIf(!isInstalled('bwrap'))('on an ordinary day', () => {
  for (const row of everyday) {
    const { command, shown = command, needs = [], ends, note } = row;
    const missing = needs.filter((name) => !found.has(name));
    const how = 'works' in ends ? 'works' : `names \`${ends.names}\``;
    const without = missing.length === 0 ? '' : ` (${missing.join(', ')} is not installed)`;
    it.skipIf(missing.length > 0)(
      `${shown} ${how}${note === undefined ? '' : `: ${note}`}${without}`,
      { timeout: 90_000 },
      async () => {
        const content = await tried(row);
        if (!('works' in ends)) expect(content).toContain(`\`${ends.names}\``);
        else if (row.timeout === undefined) expect(content).toMatch(/^exit code 0,/);
        if ('works' in ends) expect(content).toMatch(ends.works);
      },
    );
  }
});
