import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namespaces, secretNames } from './attacks/processes.ts';

/** A machine in small, with all that an attack could reach for. */
export interface World {
  root: string;
  home: string;
  project: string;
  /** Where commands run: below the project. */
  cwd: string;
  /** A folder that the settings name as writable. */
  open: string;
  /** What larik itself was given. */
  environment: Record<string, string>;
  /** What attacks are told, so that they need not search. */
  told: Record<string, string>;
  /** Names of the listeners that somebody reached. */
  reached: ReadonlySet<string>;
  /** What no command may change: path to kind, rights and content. */
  state(): Record<string, string>;
  end(): Promise<void>;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Everything at or below a path that is not left out. */
function snapshot(path: string, leftOut: ReadonlySet<string>, into: Record<string, string>): void {
  if (leftOut.has(path)) return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const mode = found.mode.toString(8);
  if (found.isDirectory()) {
    into[path] = `folder ${mode}`;
    for (const name of readdirSync(path)) snapshot(join(path, name), leftOut, into);
    return;
  }
  if (found.isSymbolicLink()) into[path] = `link ${readlinkSync(path)}`;
  else into[path] = found.isFile() ? `file ${mode} ${found.nlink} ${readFileSync(path, 'latin1')}` : mode;
}

const who = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'A'],
    [`GIT_${role}_EMAIL`, 'a@b'],
  ]),
);

function makeProject(project: string, env: Record<string, string>): void {
  write(join(project, 'a'), 'a\n');
  write(join(project, 'packages', 'a', 'file'), 'a\n');
  write(join(project, '.mcp.json'), '{}\n');
  write(join(project, '.claude', 'config'), 'old\n');
  write(join(project, '.gitmodules'), '[submodule "library"]\n\tpath = library\n\turl = ../library\n');
  write(join(project, 'library', '.git'), 'gitdir: ../.git/modules/library\n');
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: project, env: { ...env, ...who }, stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main');
  write(join(project, '.git', 'modules', 'library', 'HEAD'), 'ref: refs/heads/main\n');
  git('add', 'a', 'packages', '.gitmodules');
  git('commit', '-qm', 'a');
}

function lanAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

/** The program itself: what stands first on PATH may be a script that takes its time. */
function pythonPath(): string {
  const ask = ['-c', 'import sys; print(sys.executable)'];
  try {
    return execFileSync('python3', ask, { encoding: 'utf8' }).trim();
  } catch {
    return ''; // Then no attack that needs it is tried.
  }
}

/** Adds a key to the kernel's keyring of this login, for a minute. */
function addKey(python: string): void {
  const code =
    "import ctypes, os\nlibc = ctypes.CDLL(None)\nx64 = os.uname().machine == 'x86_64'\n" +
    "key = libc.syscall(248 if x64 else 217, b'user', b'larik-canary', b'canary', 6, -3)\n" +
    'libc.syscall(250 if x64 else 219, 15, key, 60)';
  try {
    execFileSync(python, ['-c', code], { stdio: 'ignore' });
  } catch {
    // Without Python the attack on it is not tried either.
  }
}

/** Sets everything up, in a folder that is not below `/tmp`. */
export async function makeWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync('/var/tmp/larik-escape-'));
  const at = (...parts: string[]): string => join(root, ...parts);
  const [home, project, open] = [at('home'), at('project'), at('open')];
  for (const folder of [project, `${project}-evil`, open, at('data'), join(home, '.npm'), at('elsewhere')])
    mkdirSync(folder, { recursive: true });
  write(at('sibling', 'file'), 'outside\n');
  write(at('sibling', 'hooks', 'evil'), 'evil\n');
  write(at('config', 'config.json'), '{"canary": 1}\n');
  write(join(home, '.ssh', 'id'), 'canary\n');
  write(join(home, '.netrc'), 'canary\n');
  symlinkSync(join(home, '.ssh'), join(home, '.ssh-alias'));
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  makeProject(project, base);
  const python = pythonPath();
  addKey(python);

  const tag = `larik-escape-${process.pid}`;
  const passing = [join(realpathSync(tmpdir()), tag), `/dev/shm/${tag}`];
  for (const path of passing) writeFileSync(path, 'x');
  const temporary = mkdtempSync(join('/tmp', 'larik-escape-'));
  const isRoot = process.getuid?.() === 0;
  const sockets = {
    SOCKET_ABSTRACT: `\0${tag}`,
    SOCKET_TMP: join(temporary, 'x.sock'),
    SOCKET_HOME: join(home, '.agent.sock'),
    SOCKET_PROJECT: join(project, 'dev.sock'),
    SOCKET_ELSEWHERE: at('elsewhere', 'x.sock'),
    SOCKET_RUN: isRoot ? `/run/${tag}.sock` : '/run/none',
    SOCKET_DOCKER: join(home, '.docker', 'run', 'docker.sock'),
    SOCKET_AGENT: join(temporary, 'agent.sock'),
  };
  mkdirSync(join(home, '.docker', 'run'), { recursive: true });

  const reached = new Set<string>();
  const servers: Server[] = [];
  const listen = (name: string, where: { path: string } | { host: string; port: 0 }): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        reached.add(name);
        socket.on('error', () => undefined).destroy();
      });
      servers.push(server);
      server.once('error', reject).listen(where, () => resolve(server));
    });
  const port = (server: Server): string => String((server.address() as AddressInfo).port);
  const four = await listen('PORT_4', { host: '0.0.0.0', port: 0 });
  const six = await listen('PORT_6', { host: '::1', port: 0 }).catch(() => null); // A machine without IPv6.
  for (const [name, path] of Object.entries(sockets)) if (path !== '/run/none') await listen(name, { path });
  const datagrams: Socket = createSocket('udp4', () => reached.add('PORT_UDP'));
  await new Promise<void>((resolve) => datagrams.bind(0, () => resolve()));

  const canaries = Object.fromEntries(secretNames.map((name) => [name, `canary-${name}`]));
  const leftOut = new Set([project, open, at('data', 'sandbox'), at('output'), join(home, '.npm')]);
  const kept = ['.git/config', '.git/hooks', '.git/info', '.git/modules', '.git/worktrees', '.git/commondir'];
  const keptElsewhere = [
    '.git/config.worktree',
    '.larik',
    '.claude',
    '.mcp.json',
    'library/.git',
    'packages/a/.larik',
  ];
  return {
    root,
    home,
    project,
    cwd: join(project, 'packages', 'a'),
    open,
    environment: {
      ...base,
      ...canaries,
      ...who,
      SSH_AUTH_SOCK: sockets.SOCKET_AGENT,
      DOCKER_HOST: `unix://${sockets.SOCKET_DOCKER}`,
      NAMED: 'named',
    },
    told: {
      W: root,
      PYTHON: python,
      P: project,
      TMP_FILE: passing[0] ?? '',
      SHM_FILE: passing[1] ?? '',
      LARIK_PID: String(process.pid),
      LAN: lanAddress(),
      PORT_4: port(four),
      PORT_6: six === null ? '9' : port(six),
      PORT_UDP: String(datagrams.address().port),
      ...sockets,
      SOCKET_ABSTRACT: `@${tag}`,
      ...Object.fromEntries(
        namespaces.map((name) => [`NS_${name.toUpperCase()}`, readlinkSync(`/proc/self/ns/${name}`)]),
      ),
    },
    reached,
    state() {
      const into: Record<string, string> = {};
      snapshot(root, leftOut, into);
      for (const path of [...kept, ...keptElsewhere]) snapshot(join(project, path), new Set(), into);
      return into;
    },
    async end() {
      datagrams.close();
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
      for (const path of [root, temporary, ...passing]) rmSync(path, { recursive: true, force: true });
    },
  };
}
