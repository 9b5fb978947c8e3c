/** A program that runs its arguments, and how to find there what it runs. */
export interface Wrapper {
  /** Letters of options that take a value. */
  short?: string;
  /** Long options that take the next word as their value; they may be shortened. */
  long?: string;
  /** Words between the options and the command. */
  skips?: number;
  /** `A=1` may stand before the command. */
  assignments?: boolean;
  /** More arguments come from elsewhere. */
  appends?: boolean;
  /** With one of these options it runs nothing. */
  only?: string;
  /** Options whose value is a script, as letters and long names. */
  scripts?: string;
  /** Those stand behind operands too. */
  anywhere?: boolean;
  /** The words of the command are joined and given to a shell. */
  joins?: boolean;
  /** Each word is a script of its own. */
  each?: boolean;
  /** The command stands after these words (one of them); without them it runs nothing of the kind. */
  after?: string;
  /** It stands after one of these options, wherever that is. */
  options?: string;
  /**
   * It runs what a package or another machine has under that name. A deny rule sees that; an allow
   * rule need only name the program.
   */
  elsewhere?: boolean;
}

const plain: Wrapper = {};
const packages: Wrapper = {
  elsewhere: true,
  short: 'pcw',
  long: 'package call workspace',
  scripts: 'c call',
};

/** By program, several names for one. */
const table: Record<string, Wrapper> = {
  'builtin nohup setsid busybox toybox caffeinate fakeroot unbuffer chronic ltrace catchsegv': plain,
  'dbus-run-session dbus-launch tini dumb-init linux32 linux64 setarch arch ld.so rlwrap': plain,
  'torify torsocks proxychains proxychains4 firejail faketime': plain,
  'mapfile readarray': { short: 'dnOsuc', scripts: 'C', skips: 99 },
  'compgen complete': { short: 'AGPSXWo', scripts: 'C F', skips: 99 },
  hash: { scripts: 'p', skips: 99 },
  fc: { scripts: 'e', skips: 99 },
  command: { only: '-v -V' },
  exec: { short: 'a' },
  nice: { short: 'n', long: 'adjustment' },
  ionice: { short: 'cnpPu', long: 'class classdata' },
  chrt: { short: 'TPD', long: 'sched-runtime sched-period sched-deadline', skips: 1 },
  taskset: { skips: 1 },
  numactl: { short: 'iNmpCP', long: 'interleave cpunodebind physcpubind membind preferred' },
  prlimit: { short: 'p', long: 'pid output' },
  setpriv: { long: 'reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig' },
  stdbuf: { short: 'ioe', long: 'input output error' },
  time: { short: 'of', long: 'output format' },
  timeout: { short: 'sk', long: 'signal kill-after', skips: 1 },
  doas: { short: 'uCa', assignments: true },
  sudo: {
    short: 'ughpCDRrtTU',
    long: 'user group host prompt close-from chdir chroot role type other-user command-timeout',
    assignments: true,
  },
  pkexec: { long: 'user' },
  'gosu su-exec': { skips: 1 },
  su: {
    short: 'gGsw',
    long: 'group supp-group shell whitelist-environment',
    scripts: 'c command session-command',
    skips: 99,
  },
  runuser: {
    anywhere: true,
    short: 'ugGsw',
    long: 'user group supp-group shell',
    scripts: 'c command session-command',
  },
  sg: { skips: 1, scripts: 'c', joins: true },
  env: { short: 'uC', long: 'unset chdir', assignments: true, scripts: 'S split-string' },
  'cross-env cross-env-shell': { assignments: true },
  dotenv: { short: 'e' },
  xargs: {
    short: 'adEILnPs',
    long: 'arg-file delimiter max-lines max-args max-procs max-chars replace process-slot-var',
    appends: true,
  },
  parallel: {
    short: 'jISaNLnsXd',
    long: 'jobs colsep arg-file joblog results delay timeout workdir',
    joins: true,
    appends: true,
  },
  watch: { short: 'nq', long: 'interval equexit', joins: true },
  entr: plain,
  hyperfine: { short: 'wmMrpcSnsL', each: true, scripts: 'prepare setup cleanup conclude' },
  script: {
    short: 'EIOBTmo',
    long: 'log-in log-out log-io log-timing echo output-limit',
    scripts: 'c command',
    skips: 99,
  },
  chroot: { skips: 1 },
  proot: { short: 'rbwqk' },
  unshare: { short: 'RwSG', long: 'root wd setuid setgid propagation map-user map-group' },
  nsenter: { short: 'tSG', long: 'target setuid setgid' },
  bwrap: {
    long: 'bind ro-bind dev-bind bind-try ro-bind-try dev proc tmpfs chdir setenv unsetenv symlink dir file uid gid hostname',
  },
  flock: { short: 'wE', long: 'timeout conflict-exit-code', skips: 1, scripts: 'c command' },
  strace: { short: 'eoOpPsSuaEIbX', long: 'trace output attach signal' },
  valgrind: plain,
  perf: { after: 'stat record trace', short: 'eopFCrI', long: 'event output' },
  gdb: { options: '--args -args' },
  'systemd-run': {
    short: 'pMHuE',
    long: 'unit property description slice service-type uid gid nice working-directory setenv on-active on-boot on-calendar',
  },
  'xvfb-run': { short: 'efnps', long: 'error-file auth-file server-num server-args xauth-protocol wait' },
  fd: { options: '-x -X --exec --exec-batch', appends: true },
  nix: { options: '-c --command' },
  'nix-shell': { scripts: 'run command', skips: 99 },
  ip: { after: 'netns', skips: 2 },
  direnv: { after: 'exec', skips: 1 },
  'npx bunx pnpx uvx pipx': packages,
  npm: { ...packages, after: 'exec x' },
  pnpm: { ...packages, after: 'exec dlx' },
  'yarn bun': { ...packages, after: 'exec dlx x' },
  'uv poetry pdm hatch rye pipenv conda mamba': {
    elsewhere: true,
    after: 'run',
    short: 'np',
    long: 'with python package name',
  },
  'bundle rbenv pyenv asdf mise': { elsewhere: true, after: 'exec' },
  ssh: { elsewhere: true, short: 'bcDEeFIiJLlmOoPpQRSWw', skips: 1, joins: true },
};

const byProgram = new Map(
  Object.entries(table).flatMap(([names, wrapper]) =>
    names.split(' ').map((name) => [name, wrapper] as const),
  ),
);

const ofGit: Record<string, Wrapper> = {
  bisect: { after: 'run' },
  rebase: { short: 'sXCS', long: 'onto strategy strategy-option whitespace', scripts: 'x exec', skips: 99 },
  submodule: { after: 'foreach', joins: true },
};

/** How a subcommand of git does; null if it does not. */
export function gitWrapperOf(subcommand: string): Wrapper | null {
  return Object.hasOwn(ofGit, subcommand) ? (ofGit[subcommand] ?? null) : null;
}

/** How a program runs its arguments; null if it does not. */
export function wrapperOf(program: string): Wrapper | null {
  return byProgram.get(program) ?? (/^ld-(?:linux|musl)/.test(program) ? plain : null);
}
