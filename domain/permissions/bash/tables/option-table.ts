import { gitOptions } from './git-options.ts';
import { awkReaches, sedReaches } from './script-arguments.ts';

/** Options of a program that run code or write where nobody looks, and how its arguments are read. */
export interface ProgramOptions {
  /** Long ones, without the dashes; what they can be shortened to counts as well. */
  long?: string;
  /** Long ones that only look like one of those shortened. */
  harmless?: string;
  /** Letters, also within a cluster. */
  short?: string;
  /** Letters that take a value: there a cluster ends, and the word after a bare one is no option. */
  valued?: string;
  /** Words that are such options as they stand, with one dash or two, also with `=` after them. */
  words?: string;
  /** Any argument that begins so. */
  form?: RegExp;
  /** Any argument with this in it. */
  within?: RegExp;
  /** After the first operand come arguments of a script: none of them is an option. So do they after these letters. */
  script?: string;
  /** The first argument may be a cluster without its dash. */
  bundled?: true;
  /** One operand more than so many is a file that it writes. */
  operands?: number;
  /** With no operand, or `-` as the first, it runs what it reads, but for with an option like this. */
  reads?: RegExp;
  /** Its arguments are mostly names: one whose value is not known is taken for such. */
  trusting?: true;
  /** Arguments that hold a script of their own, or mean something else than options. */
  reaches?: (values: readonly string[]) => string[];
  /** By subcommand, several names for one; `before`: options in front that take the next word. */
  subcommands?: { before: string; by: Record<string, ProgramOptions> };
}

/** Options with which an interpreter runs no script. */
const idle = /^(?:-(?:v|V+|h)|--(?:version|help|test|run)(?:[=-].*)?)$/;

const node = {
  script: '',
  reads: idle,
  harmless: 'test experimental-test-coverage report',
  short: 'ercp',
  valued: 'C',
  long:
    'require import eval print loader experimental-loader run openssl-config redirect-warnings ' +
    'diagnostic-dir report-dir report-directory trace-event-file-pattern cpu-prof heap-prof ' +
    'experimental-config-file env-file test-reporter test-global-setup build-snapshot config preload',
} as const satisfies ProgramOptions;

const python = { script: 'm', reads: idle, short: 'c', valued: 'mWX' } as const satisfies ProgramOptions;

const compiler = {
  words: '-wrapper -specs -B -fplugin -fuse-ld -ld-path --ld-path -load',
  form: /^(?:@|-fplugin|-specs|--specs|-B|-Wp,-|-Wl,.*-plugin|-Xclang$|-fpass-plugin)/,
} as const satisfies ProgramOptions;

const remote = {
  short: 'oFSDPE',
  valued: 'bcilpmQRWwBeJL',
  form: /^ext::/,
} as const satisfies ProgramOptions;
const pager = {
  short: 'oOkP',
  long: 'log-file LOG-FILE lesskey-file lesskey-src lesskey-content',
  form: /^\+/,
} as const satisfies ProgramOptions;
const editor = { short: 'cSsuUwW', long: 'cmd', form: /^\+/ } as const satisfies ProgramOptions;
const nodePackages = {
  harmless: 'global',
  trusting: true,
  long: 'script-shell node-options shell git viewer editor browser userconfig globalconfig onload-script use-yarnrc',
  form: /^--config\./,
} as const satisfies ProgramOptions;

/** By program, several names for one. */
const table: Record<string, ProgramOptions> = {
  ack: { long: 'pager ackrc output' },
  ag: { long: 'pager' },
  awk: {
    reaches: awkReaches,
    short: 'fiElopdDI',
    valued: 'Fv',
    long: 'file include exec load dump-variables profile pretty-print debug',
  },
  'bat batcat': { long: 'pager map-syntax diff' },
  bun: {
    ...nodePackages,
    long: `${nodePackages.long} preload require import eval print config`,
    short: 'repc',
  },
  cargo: { trusting: true, long: 'config', short: 'C', valued: 'Zpj' },
  'cc gcc g++ c++ clang clang++': compiler,
  curl: {
    harmless: 'cookie',
    short: 'oOKTcDJ',
    valued: 'AbCdeEFHmPQrtuUwxXyYz',
    long:
      'output output-dir remote-name remote-name-all remote-header-name config upload-file cookie-jar ' +
      'dump-header trace trace-ascii stderr hsts alt-svc libcurl etag-save engine create-dirs expand-',
    form: /^@|^--expand-/,
    within: /%output\{/,
  },
  date: { short: 's', valued: 'dfr', long: 'set' },
  'diff3 sdiff': { short: 'o', long: 'diff-program output' },
  enable: { short: 'f' },
  fd: { short: 'xX', valued: 'dtegESjc', long: 'exec exec-batch' },
  file: { short: 'C', long: 'compile' },
  find: { words: '-delete -exec -execdir -fls -fprint -fprint0 -fprintf -ok -okdir' },
  gdb: {
    short: 'xp',
    long: 'command init-command eval-command init-eval-command args',
    words: '-ex -iex -x -ix -args',
  },
  git: gitOptions,
  go: {
    words:
      '-exec -toolexec -o -vettool -overlay -modfile -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -w',
    within: /-extld|-fplugin/,
    trusting: true,
  },
  gradle: { trusting: true, short: 'I', long: 'init-script' },
  iconv: { short: 'o', valued: 'ft', long: 'output' },
  less: pager,
  printf: { script: '', short: 'v' },
  make: {
    short: 'E',
    valued: 'fCIjloW',
    long: 'eval',
    // A value may call the shell, and some variables are it.
    within: /^(?:-[a-zA-Z]*f|--(?:make)?file=)?(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/,
    form: /^(?:\.?SHELL(?:FLAGS)?|MAKE\w*)\W?=|^\w+[:+?!]*=.*(?:\$[({]|`)|^\w+!=/s,
    trusting: true,
  },
  man: { short: 'PHC', valued: 'LmMrRSseEpT', long: 'pager html config-file preprocessor' },
  'more most': { form: /^\+/ },
  nmap: { words: '-oN -oX -oS -oG -oA -iL', long: 'script resume datadir' },
  'node nodejs': node,
  'npm pnpm yarn': nodePackages,
  perl: { script: '', reads: idle, short: 'eEMmidIx' },
  php: { script: '', reads: idle, short: 'rBREFdacS', long: 'run process-begin process-code process-end' },
  python: python,
  pypy: python,
  rg: {
    long: 'pre hostname-bin',
    valued: 'ABCEMTdefgjmrt',
  },
  rsync: {
    harmless: 'backup partial',
    short: 'eTM',
    valued: 'fB@',
    long:
      'rsh rsync-path log-file write-batch only-write-batch temp-dir backup-dir partial-dir config daemon ' +
      'remote-option early-input password-file',
  },
  'lua luajit tclsh guile julia irb octave': { script: '', reads: idle },
  ruby: { script: '', reads: idle, short: 'erIiCxS', long: 'require' },
  'scp sftp ssh': remote,
  sed: { reaches: sedReaches, short: 'if', valued: 'el', long: 'in-place file' },
  shuf: { short: 'o', valued: 'ni', long: 'output' },
  sort: { short: 'o', valued: 'kStT', long: 'output compress-program' },
  split: { long: 'filter' },
  sqlite3: { words: '-cmd -init', within: /^\s*\.|writefile|load_extension|edit\s*\(|\battach\b/i },
  tar: {
    bundled: true,
    short: 'IFV',
    valued: 'fbCgHKLNTX',
    long:
      'to-command checkpoint-action use-compress-program info-script new-volume-script rsh-command rmt-command ' +
      'index-file volno-file',
  },
  tcpdump: { short: 'wzF', valued: 'BcCEGijmMQrsTWyVZ' },
  tree: { short: 'oR', valued: 'HLPIT', long: 'output' },
  uniq: { operands: 1, valued: 'fsw' },
  'vi vim nvim ex view': editor,
  wget: {
    short: 'eOoaPi',
    valued: 'tTwQUlADIXR',
    long:
      'execute output-document output-file append-output directory-prefix use-askpass config save-cookies post-file ' +
      'body-file warc-file hsts-file input-file rejected-log',
  },
  xxd: { operands: 1, valued: 'cglosn' },
  yq: { short: 'is', long: 'inplace split-exp' },
  zip: { short: 'TO', long: 'unzip-command output-file' },
};

const byProgram = new Map(
  Object.entries(table).flatMap(([names, options]) =>
    names.split(' ').map((name) => [name, options] as const),
  ),
);

/** What is known of a program, also of one with a version (`python3.11`) or GNU's `g` (`gsed`) in its name. */
export function optionsOf(program: string): ProgramOptions | null {
  const name = program.toLowerCase().replace(/\.exe$/, '');
  const plain = name.replace(/(?<=[a-z+])-?\d[\d.]*$/, '');
  const known = byProgram.get(name) ?? byProgram.get(plain);
  if (known !== undefined) return known;
  const other = /^(?:g|m|n|b)(awk|sed|tar|find|sort|split|shuf|date)$/.exec(plain)?.[1];
  return other === undefined ? null : (byProgram.get(other) ?? null);
}
