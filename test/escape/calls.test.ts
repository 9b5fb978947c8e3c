import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bubblewrap, BubblewrapOptions } from '../../adapters/sandbox/bubblewrap.ts';
import type { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { isInstalled } from '../installed.ts';
import { processesIn, sandboxIn } from './boxes.ts';
import { sandboxWorks } from './sandbox-works.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
let made: { sandbox: Bubblewrap; processes: LocalProcesses }[];

function box(more: Partial<BubblewrapOptions> = {}) {
  const one = sandboxIn(world, more);
  made.push(one);
  return one;
}

async function run({ processes }: { processes: LocalProcesses }, shell: string, cwd = world.project) {
  const { head, exitCode } = await processes.run(
    { command: { shell }, cwd, keepBytes: 10_000 },
    new AbortController().signal,
  );
  return { text: head.trim(), exitCode };
}

/** Connects to a socket, and says whether that worked. */
const connects = (path: string): string =>
  `"$PYTHON" -IS -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' "${path}" 2>/dev/null && echo reached`;

beforeAll(async () => {
  if (sandboxWorks) world = await makeWorld();
}, 30_000);

beforeEach(() => {
  made = [];
});

afterEach(async () => {
  for (const { processes, sandbox } of made) {
    await processes.dispose();
    await sandbox.dispose();
  }
});

afterAll(() => world?.end());

describe.skipIf(!sandboxWorks)('calls in the sandbox', () => {
  it('cannot make a protected name that does not exist, in any way, and leave no trace of it', async () => {
    const project = join(world.root, 'empty');
    mkdirSync(project);
    const ways = ['.git', '.larik', '.claude', '.mcp.json'].map(
      (name) =>
        `mkdir -p ${name}/x; echo x > ${name}; mkdir t; mv -T t ${name}; rmdir t ${name}; ln -s /etc ${name}; ` +
        `mv ${name} y; echo x > f; mv -fT f ${name}; ln f ${name}; rm -rf f ${name}; mount -t tmpfs x ${name};`,
    );
    await run(box({ project }), `${ways.join('\n')} git init; git init --bare .git`, project);
    expect(readdirSync(project)).toEqual([]);
  });

  it('end with all that they started: double forks, sessions of their own, what ignores signals', async () => {
    const sandbox = box();
    const leave =
      'nohup sh -c "sleep 60" & (setsid sh -c "trap : TERM HUP INT; sleep 60" &) ; ' +
      '(setsid setsid sh -c "while :; do echo x >> late; done" &) ; disown -a; echo done';
    expect((await run(sandbox, leave)).text).toContain('done');
    const late = (): number => lstatSync(join(world.project, 'late'), { throwIfNoEntry: false })?.size ?? 0;
    const size = late();
    expect((await run(sandbox, 'cat /proc/[0-9]*/comm | grep -c sleep')).text).toBe('0');
    expect(late()).toBe(size);
  });

  it('may signal everything that they see, and nothing else is signalled', async () => {
    // Not in the numbering of the machine, should the sandbox have none of its own.
    const shell =
      '[ "$(readlink /proc/self/ns/pid)" = "$NS_PID" ] || kill -9 -1 2>/dev/null; kill -9 1; kill -0 1 && echo on';
    expect((await run(box(), shell)).text).toBe('on');
  });

  it.skipIf(!isInstalled('python3'))(
    'reach the sockets of variables that the settings name, and no others',
    async () => {
      const { SOCKET_AGENT, SOCKET_DOCKER } = world.told;
      const both = `${connects(SOCKET_AGENT ?? '')}; ${connects(SOCKET_DOCKER ?? '')}; echo "$SSH_AUTH_SOCK"`;
      expect((await run(box(), both)).text).toBe('');
      const named = await run(box({ env: ['SSH_AUTH_SOCK'] }), both);
      expect(named.text).toBe(`reached\n${SOCKET_AGENT}`);
      expect([...world.reached]).toEqual(['SOCKET_AGENT']);
      expect((await run(box({ env: ['DOCKER_HOST'] }), both)).text).toBe('reached');
    },
  );

  it.skipIf(!isInstalled('python3'))(
    'cannot type into the terminal that larik was started from',
    async () => {
      const { sandbox } = box();
      const attack =
        'import fcntl, os\nfor fd in (0, 1, 2):\n' +
        '    for request, data in ((0x5412, b"#"), (0x541c, b"\\2")):\n' +
        '        try: fcntl.ioctl(fd, request, data); print("typed", fd)\n        except OSError: pass\n' +
        'try: os.open("/dev/tty", 2); print("opened")\nexcept OSError: pass\nprint("tried", os.isatty(0))';
      const { env, file, args, release } = await sandbox.wrap(
        { file: world.told['PYTHON'] ?? '', args: ['-IS', '-c', attack] },
        { cwd: world.project, env: world.environment, set: {} },
      );
      const inTerminal =
        'import os, pty, sys\nos.dup2(os.open("/dev/null", 2), 3)\nos.set_inheritable(3, True)\npty.spawn(sys.argv[1:])';
      const text = execFileSync(world.told['PYTHON'] ?? '', ['-IS', '-c', inTerminal, file, ...args], {
        env,
        encoding: 'utf8',
        input: '',
      });
      await release();
      expect(text.replaceAll('\r', '').replaceAll('^D\b\b', '').trim()).toBe('tried True');
    },
  );

  it('run beside every kind of thing in place of a protected name, or say which one is in the way', async () => {
    const project = join(world.root, 'links');
    const kinds = ['../sibling', 'inside', '../nowhere'];
    for (const [index, target] of kinds.entries()) {
      const folder = `${project}-${index}`;
      mkdirSync(join(folder, 'inside'), { recursive: true });
      symlinkSync(target, join(folder, '.claude'));
      await expect(run(box({ project: folder }), 'true', folder)).rejects.toMatchObject({
        kind: 'no_sandbox',
        message: expect.stringContaining(`${folder}/.claude is a symbolic link`) as string,
      });
    }
    // A link deeper down is not in the way of the rest.
    symlinkSync('/etc', join(world.project, 'packages', '.claude'));
    expect((await run(box(), 'echo ran')).text).toBe('ran');
  });

  it.skipIf(!isInstalled('git'))(
    'of a subagent write to its worktree, not to the project or to what git runs',
    async () => {
      const tree = join(world.root, 'data', 'worktrees', 'one');
      execFileSync('git', ['worktree', 'add', '-q', tree], {
        cwd: world.project,
        env: world.environment,
        stdio: 'pipe',
      });
      const before = { config: readFileSync(join(world.project, '.git', 'config'), 'utf8') };
      const { sandbox } = box();
      const derived = sandbox.derive(tree);
      const processes = processesIn(world, derived);
      made.push({ sandbox: derived, processes });
      const commit = 'echo new > new && git add new && git commit -qm new && git log -1 --format=%s';
      expect((await run({ processes }, commit, tree)).text).toBe('new');
      const git = join(world.project, '.git');
      const admin = join(git, 'worktrees', 'one');
      const forbidden = [
        join(world.project, 'a'),
        ...['config', 'hooks/x', 'info/attributes', 'modules/x', 'commondir'].map((name) => join(git, name)),
        join(git, 'worktrees', 'two'),
        ...['commondir', 'gitdir', 'config.worktree'].map((name) => join(admin, name)),
        join(tree, '.git'),
        join(world.root, 'data', 'escaped'),
      ];
      const tried = await run(
        { processes },
        forbidden
          .map(
            (path) =>
              `(echo x >> ${path}) 2>/dev/null && echo ${path}; mv ${path} ${tree}/m 2>/dev/null && echo ${path}`,
          )
          .join('\n'),
        tree,
      );
      expect(tried.text).toBe('');
      expect(readFileSync(join(git, 'config'), 'utf8')).toBe(before.config);
      expect(existsSync(join(git, 'hooks', 'x'))).toBe(false);
      expect(
        (await run({ processes }, 'git config core.pager x || git worktree add ../two', tree)).exitCode,
      ).not.toBe(0);
    },
  );
});
