import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bubblewrap, type BubblewrapOptions } from '../../../adapters/sandbox/bubblewrap.ts';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { searchProgram } from '../../../adapters/system/processes/program-search.ts';
import { protectedGitNames, protectedNames } from '../../../domain/permissions/protected-files.ts';
import type { CommandResult } from '../../../ports/process.ts';
import type { Sandbox } from '../../../ports/sandbox.ts';
import { isInstalled } from '../../installed.ts';

const program = searchProgram('bwrap', process.env['PATH'], null);
const never = new AbortController().signal;

let root: string;
let project: string;
let home: string;
let running: { sandbox: Sandbox; processes: LocalProcesses }[];

function begin(more: Partial<BubblewrapOptions> = {}, environment: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...environment };
  const sandbox = new Bubblewrap({
    program,
    nsenter: () => searchProgram('nsenter', process.env['PATH'], null),
    project,
    home,
    notes: join(root, 'data', 'sandbox'),
    denyRead: [join(home, '.ssh'), join(home, '.netrc'), join(home, 'none')],
    writable: [],
    own: [join(root, 'data')],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env: [],
    network: false,
    required: false,
    environment: env,
    lock: takeFileLock,
    ...more,
  });
  const processes = new LocalProcesses({ outputFolder: join(root, 'output'), environment: env, sandbox });
  running.push({ sandbox, processes });
  return { sandbox, processes };
}

function run(processes: LocalProcesses, shell: string, outside = false): Promise<CommandResult> {
  return processes.run(
    { command: { shell }, cwd: project, keepBytes: 10_000, ...(outside ? { sandbox: false } : {}) },
    never,
  );
}

async function text(processes: LocalProcesses, shell: string): Promise<string> {
  return (await run(processes, shell)).head.trim();
}

const inProject = (): string[] => readdirSync(project).sort();

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: project,
    encoding: 'utf8',
  });

beforeEach(async () => {
  root = await realpath(await mkdtemp('/var/tmp/larik-sandbox-'));
  project = join(root, 'project');
  home = join(root, 'home');
  running = [];
  for (const folder of [project, join(home, '.ssh'), join(root, 'data')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.ssh', 'id'), 'secret');
  writeFileSync(join(home, '.netrc'), 'secret');
});

afterEach(async () => {
  for (const { sandbox, processes } of running) {
    await processes.dispose();
    await sandbox.dispose();
  }
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(!isInstalled('bwrap'))('bubblewrap', () => {
  it('works, and says what it allows', async () => {
    const { sandbox } = begin({ writable: [home, join(root, 'none')] });
    expect(await sandbox.describe()).toEqual({
      name: 'bubblewrap',
      works: true,
      problem: null,
      required: false,
      writable: [home],
      network: false,
      domains: [],
    });
  });

  it('lets a command write in the project and in its own temporary folder, and nowhere else', async () => {
    const { processes } = begin();
    const line = `echo a > a; echo b > "$TMPDIR/b"; echo c > /tmp/c; for p in ${home}/x /etc/x ${root}/data/x /var/tmp/x /x; do echo x > $p; done; cat a "$TMPDIR/b" /tmp/c`;
    const { head, sandboxed } = await run(processes, line);
    expect(sandboxed).toBe(true);
    expect(head.split('\n').filter((one) => /^[abc]$/.test(one))).toEqual(['a', 'b', 'c']);
    expect(head.match(/Read-only file system|Permission denied/g)).toHaveLength(5);
    expect([existsSync(join(home, 'x')), existsSync('/tmp/c')]).toEqual([false, false]);
    expect(await text(processes, 'cat /tmp/c')).toBe('c');
    expect(await text(processes, 'dirname $(mktemp)')).toMatch(/\/larik-/);
  });

  it('lets it write where the settings say', async () => {
    const { processes } = begin({ writable: [home] });
    await run(processes, `echo x > ${home}/x`);
    expect(readFileSync(join(home, 'x'), 'utf8')).toBe('x\n');
  });

  it('shows nothing of what is denied', async () => {
    const { processes } = begin();
    expect(
      await text(processes, `ls -A ${home}/.ssh; cat ${home}/.netrc; cat ${home}/.ssh/id 2>/dev/null`),
    ).toBe('');
    expect(await text(processes, `ls -A /run | grep -c dbus`)).toBe('0');
  });

  it('keeps the names that choose what code runs, also those that do not exist, and leaves none behind', async () => {
    const { processes } = begin();
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, '.claude', 'a'), 'old');
    const writes = ['.claude/a', '.larik/settings.json', '.mcp.json', '.git/hooks/pre-commit', '.git/config'];
    await run(
      processes,
      `for p in ${writes.join(' ')}; do mkdir -p $(dirname $p); echo x > $p; rm -rf $p; done`,
    );
    await run(
      processes,
      'mv .claude b; rm -rf .claude; mv .larik b; rmdir .mcp.json .larik .git; ln -s /etc .larik',
    );
    expect(inProject()).toEqual(['.claude']);
    expect(readFileSync(join(project, '.claude', 'a'), 'utf8')).toBe('old');
  });

  it('refuses to run beside a protected name that is a link', async () => {
    const { processes } = begin();
    symlinkSync(home, join(project, '.claude'));
    await expect(run(processes, 'true')).rejects.toMatchObject({ kind: 'no_sandbox' });
    expect((await run(processes, 'true', true)).exitCode).toBe(0);
  });

  it('has no network but loopback of its own', async () => {
    const { processes } = begin();
    const away = await text(processes, '(echo > /dev/tcp/192.0.2.1/80) 2>&1');
    expect(away).toContain('Network is unreachable');
    const server =
      "node -e \"require('http').createServer((q,r)=>r.end('hi')).listen(8123,'127.0.0.1',()=>" +
      "require('http').get('http://127.0.0.1:8123',(a)=>a.on('data',(d)=>{console.log(String(d));process.exit()})))\"";
    expect(await text(processes, server)).toBe('hi');
  });

  it('passes on harmless variables, those that are named, and what larik sets', async () => {
    const { processes } = begin({ env: ['MY_VAR'] }, { SECRET_TOKEN: 's', MY_VAR: 'm', GOFLAGS: 'g' });
    const names = (await text(processes, 'env | cut -d= -f1')).split('\n');
    expect(names).not.toContain('SECRET_TOKEN');
    expect(names).toEqual(
      expect.arrayContaining(['MY_VAR', 'GOFLAGS', 'HOME', 'PATH', 'LARIK', 'TMPDIR', 'PAGER']),
    );
    expect((await run(processes, 'echo $SECRET_TOKEN', true)).head).toBe('s\n');
  });

  it('sees no process but its own, and no descriptor of larik', async () => {
    const { processes } = begin();
    expect(await text(processes, `kill -0 ${process.pid} 2>&1`)).toContain('No such process');
    expect(await text(processes, 'ls /proc/self/fd')).toBe('0\n1\n2\n3');
  });

  it('ends with all that it started, before what held its place is taken away', async () => {
    const { processes } = begin();
    await run(processes, '(while :; do mkdir -p .larik/x 2>/dev/null; done) & (setsid sleep 100 &) ; true');
    expect(inProject()).toEqual([]);
  });

  it('is ended at its time limit with what it started', async () => {
    const { processes } = begin();
    const result = await processes.run(
      { command: { shell: 'echo a; setsid sleep 100' }, cwd: project, keepBytes: 100, timeoutMs: 200 },
      never,
    );
    expect([result.timedOut, result.head]).toEqual([true, 'a\n']);
    expect(inProject()).toEqual([]);
  });

  it('keeps a placeholder until the last of several commands has ended, also across sessions', async () => {
    const first = begin().processes;
    const second = begin().processes;
    const wait = (name: string): string =>
      `touch ready-${name}; while [ ! -e go-${name} ]; do sleep 0.01; done`;
    const specs = { cwd: project, keepBytes: 100 };
    const a = run(first, wait('a'));
    const b = run(second, `${wait('b')}; mkdir .larik/x`);
    while (!existsSync(join(project, 'ready-a')) || !existsSync(join(project, 'ready-b')))
      await run(first, 'true');
    writeFileSync(join(project, 'go-a'), '');
    await a;
    expect(inProject()).toContain('.larik');
    writeFileSync(join(project, 'go-b'), '');
    expect((await b).exitCode).toBe(1);
    expect(inProject()).not.toContain('.larik');
    expect(specs.cwd).toBe(project);
  });

  it('leaves what somebody has put in a placeholder meanwhile', async () => {
    const { processes } = begin();
    const command = run(processes, 'touch ready; while [ ! -e go ]; do sleep 0.01; done');
    while (!existsSync(join(project, 'ready'))) await run(processes, 'true', true);
    writeFileSync(join(project, '.larik', 'settings.json'), '{}');
    writeFileSync(join(project, 'go'), '');
    await command;
    expect(inProject()).toEqual(['.larik', 'go', 'ready']);
  });

  it('clears away what a kill left', async () => {
    const notes = join(root, 'data', 'sandbox');
    mkdirSync(notes);
    mkdirSync(join(project, '.larik'));
    const temporary = join(root, 'larik-left');
    mkdirSync(temporary);
    const placeholders = [{ path: join(project, '.larik'), content: null }];
    writeFileSync(join(notes, '1-a.json'), JSON.stringify({ pid: 1, begun: 'x', placeholders, temporary }));
    const { processes } = begin();
    await run(processes, 'true');
    expect([inProject(), existsSync(temporary), existsSync(join(notes, '1-a.json'))]).toEqual([
      [],
      false,
      false,
    ]);
  });

  it('runs commands also where the folder for notes cannot be made, and leaves none', async () => {
    const { processes, sandbox } = begin({ notes: join(home, '.netrc', 'sandbox') });
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('larik-notes-'));
    expect(await text(processes, 'mkdir .larik/x || echo kept')).toContain('kept');
    await sandbox.dispose();
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('larik-notes-'));
    expect([inProject(), after.filter((name) => !before.includes(name))]).toEqual([[], []]);
  });

  it('shares the network of a background command with later ones, but not the host', async () => {
    const { processes } = begin();
    const own = await text(processes, 'readlink /proc/self/ns/net');
    await processes.start({ command: { shell: 'sleep 100' }, cwd: project, keepBytes: 100 });
    const look =
      'readlink /proc/self/ns/net; grep -c . /proc/net/dev; grep Cap /proc/self/status | sort -u -k2';
    const shared = await text(processes, look);
    expect(await text(processes, look)).toBe(shared);
    expect([shared.includes(own), shared.split('\n').slice(1)]).toEqual([
      false,
      ['3', 'CapInh:\t0000000000000000'],
    ]);
    expect((await run(processes, `echo x > ${home}/x`)).exitCode).not.toBe(0);
  });

  it('gives programs a TERM and time to end at a time limit', async () => {
    const { processes } = begin();
    const shell = 'trap "echo tidied; exit" TERM; echo a; sleep 100 & wait';
    const result = await processes.run(
      { command: { shell }, cwd: project, keepBytes: 100, timeoutMs: 1000 },
      never,
    );
    expect([result.timedOut, result.head]).toEqual([true, 'a\ntidied\n']);
  });

  it('lets git commit, also in a worktree, but not choose what code git runs', async () => {
    git('init', '-q');
    const { processes } = begin();
    const commit =
      'echo a > a; git add a; git -c user.name=a -c user.email=a@b commit -qm a && git log --format=%s';
    expect(await text(processes, commit)).toBe('a');
    expect((await run(processes, 'git config core.pager x')).exitCode).not.toBe(0);
    for (const path of [
      'hooks/pre-commit',
      'config',
      'commondir',
      'info/attributes',
      'config.worktree',
      'modules/x',
    ]) {
      expect((await run(processes, `echo x > .git/${path}`)).exitCode).not.toBe(0);
    }
    expect((await run(processes, 'mv .git b')).exitCode).not.toBe(0);
    git('worktree', 'add', '-q', join(root, 'other'));
    const main = project;
    project = join(root, 'other');
    const other = begin().processes;
    expect(await text(other, commit.replaceAll('echo a', 'echo b'))).toBe('a\na');
    expect(
      (await run(other, `echo x > ${main}/.git/hooks/x || echo x > ${main}/.git/config`)).exitCode,
    ).not.toBe(0);
    expect(git('fsck')).toBe('');
    expect(git('status', '--short')).toBe('');
  });

  it('believes no file .git that nothing leads back to', async () => {
    const other = join(root, 'repository', '.git', 'worktrees', 'x');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'commondir'), '../..\n');
    writeFileSync(join(other, 'gitdir'), '/somewhere/else/.git\n');
    writeFileSync(join(project, '.git'), `gitdir: ${other}\n`);
    const { processes } = begin();
    expect((await run(processes, `echo x > ${other}/x`)).exitCode).not.toBe(0);
  });

  it('says what is missing, and stops commands only if it was asked for by name', async () => {
    const none = { program: Promise.resolve(null) };
    const wanted = begin({ ...none, required: true });
    const { problem } = await wanted.sandbox.describe();
    expect(problem).toContain('apt install bubblewrap');
    expect(problem).not.toContain('asked about');
    await expect(run(wanted.processes, 'true')).rejects.toMatchObject({ kind: 'no_sandbox' });
    const result = await run(begin(none).processes, 'echo a');
    expect([result.sandboxed, result.head]).toEqual([false, 'a\n']);
  });
});
