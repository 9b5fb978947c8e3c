import { ownProcesses, python, type Attack } from './attack.ts';

const cleared = 'the environment is an allow-list';
const closed = 'no descriptor but the standard ones is passed on';

/** Canaries of the suite: names of variables that hold keys, or lead to something. */
export const secretNames = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GROQ_API_KEY',
  'OPENROUTER_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'DATABASE_URL',
  'SSH_AUTH_SOCK',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
] as const;

/** Those that a sandbox has its own of. */
export const namespaces = ['user', 'mnt', 'pid', 'ipc', 'uts', 'net'] as const;

/** The number is larik's, and not by chance that of a process in the sandbox. */
const isLarik = 'grep -q ^node /proc/$LARIK_PID/comm';

export const processes: Attack[] = [
  {
    id: 'process-signal-larik',
    threat: 'D4',
    tries: 'signal larik by its number',
    because: ownProcesses,
    script: `${isLarik} && kill -0 $LARIK_PID`,
  },
  {
    id: 'process-signal-parent',
    threat: 'D4',
    tries: 'signal the parent',
    because: ownProcesses,
    script: 'kill -0 $PPID && [ "$(cat /proc/$PPID/comm)" = node ]',
  },
  {
    id: 'process-list',
    threat: 'D4',
    tries: 'see processes of the machine',
    because: 'it has a /proc of its own',
    script: 'cat /proc/[0-9]*/comm | grep -q "^node"',
  },
  {
    id: 'process-environ',
    threat: 'D4',
    tries: 'read keys out of the environment of any process',
    because: 'the processes that it sees got the same short environment',
    script: 'cat /proc/[0-9]*/environ | grep -aq "canary-"',
  },
  {
    id: 'process-ptrace',
    threat: 'D4',
    tries: 'trace larik',
    because: ownProcesses,
    script: `${isLarik} && ${python(
      'libc = ctypes.CDLL(None, use_errno=True)\n' +
        'sys.exit(0 if libc.ptrace(16, int(os.environ["LARIK_PID"]), 0, 0) == 0 else 1)',
    )}`,
    needs: ['python3'],
  },
  {
    id: 'process-memory',
    threat: 'D4',
    tries: "read larik's memory",
    because: ownProcesses,
    script: `${isLarik} && head -c 1 /proc/$LARIK_PID/maps`,
  },
  ...namespaces.map((name) => ({
    id: `namespace-${name}`,
    threat: 'D8',
    tries: `share the ${name} namespace of larik`,
    because: 'it has its own',
    script: `[ "$(readlink /proc/self/ns/${name})" = "$NS_${name.toUpperCase()}" ]`,
  })),
  {
    id: 'descriptor-list',
    threat: 'D4',
    tries: 'find a descriptor of larik',
    because: closed,
    script: 'for fd in 3 4 5 6 7 8 9; do [ -e /proc/$BASHPID/fd/$fd ] && exit 0; done; exit 1',
  },
  {
    id: 'descriptor-write',
    threat: 'D4',
    tries: 'write to the pipes by which larik starts and follows commands',
    because: closed,
    script: 'echo x >&3 || echo x >&4 || echo x >&5',
  },
  {
    id: 'descriptor-folder',
    threat: 'D4',
    tries: 'leave by an open folder',
    because: closed,
    script: 'for fd in /proc/$BASHPID/fd/*; do [ -d $fd/ ] && exit 0; done; exit 1',
  },
  {
    id: 'descriptor-first',
    threat: 'D4',
    tries: "use a descriptor of the sandbox's first process",
    because: 'what it holds are pipes that say nothing, which cannot be opened by their name',
    script: 'for fd in /proc/1/fd/*; do [ -d $fd/ ] && exit 0; done; echo x > /proc/1/fd/3',
  },
  {
    id: 'terminal-open',
    threat: 'D1',
    tries: 'open the terminal',
    because: 'it has a session of its own, without one',
    script: 'echo x > /dev/tty',
  },
  {
    id: 'terminal-devices',
    threat: 'D1',
    tries: 'open another terminal',
    because: '/dev is its own',
    script: 'ls /dev/pts/[0-9]* /dev/tty[0-9]* /dev/ttyS* /dev/console',
  },
  ...secretNames.map((name) => ({
    id: `environment-${name}`,
    threat: 'D4',
    tries: `read ${name}`,
    because: cleared,
    script: `[ -n "\${${name}+set}" ]`,
  })),
];
