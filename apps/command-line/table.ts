import { version } from '../../package.json';
import { modes } from '../../ports/mode.ts';
import { pages } from './pages.ts';

/** What may be typed in a place, as far as a shell can complete it. */
export type Completes = 'folder' | 'file' | 'session' | readonly string[];

/** One option of the command line. `value` names what it takes; without it, it is a switch. */
export interface OptionRow {
  name: string;
  short?: string;
  value?: string;
  /** A value as it may be typed, where `value` itself cannot be. */
  example?: string;
  multiple?: boolean;
  completes?: Completes;
  about: string;
}

export interface CommandRow {
  name: string;
  /** Words behind the name, for the usage line. */
  usage: string;
  about: string;
  /** Names of options beside the common ones. */
  options: readonly string[];
  /** What the first word behind the name may be, and what follows which first word. */
  operands?: { first: Completes; second?: Readonly<Record<string, Completes>> };
  /** How many words may stand behind the name, least and most; without it the command looks itself. */
  count?: readonly [number, number];
  example: string;
  /** The row is no command but a page of help, this one. */
  page?: string;
}

/** Every option, once (spec: cli). */
export const options: readonly OptionRow[] = [
  { name: 'print', short: 'p', about: 'run one turn without a screen, print the answer, exit' },
  {
    name: 'ui',
    value: 'NAME',
    example: 'plain',
    completes: ['blessed', 'plain'],
    about: 'the screen: blessed (default), or plain, which prints lines and asks',
  },
  { name: 'plain', about: 'the same as --ui plain: for screen readers, and terminals that show lines only' },
  {
    name: 'output',
    value: 'FORMAT',
    example: 'json',
    completes: ['text', 'json', 'result'],
    about: 'text (default), json (one event a line) or result (one object at the end)',
  },
  {
    name: 'model',
    value: 'MODEL',
    example: 'anthropic/claude-opus-5-5',
    about: 'provider/model, or a role from the settings',
  },
  {
    name: 'effort',
    value: 'EFFORT',
    example: 'high',
    completes: ['low', 'medium', 'high', 'xhigh', 'max'],
    about: 'how much to reason: low, medium, high, xhigh or max',
  },
  {
    name: 'mode',
    value: 'MODE',
    example: 'plan',
    completes: modes,
    about: 'permission mode: default, accept-edits, plan, auto or yolo',
  },
  {
    name: 'allow',
    value: 'RULE',
    example: "'bash(npm test*)'",
    multiple: true,
    about: "allow what matches, such as 'bash(npm test*)'; repeatable",
  },
  {
    name: 'deny',
    value: 'RULE',
    example: "'bash(git push*)'",
    multiple: true,
    about: 'deny what matches, in every mode; repeatable',
  },
  { name: 'max-steps', value: 'N', example: '20', about: 'stop after N model requests' },
  { name: 'budget', value: 'USD', example: '2.50', about: 'stop when the session has cost this much' },
  { name: 'timeout', value: 'SECONDS', example: '300', about: 'stop after this time' },
  { name: 'continue', short: 'c', about: 'go on with the latest session of this project' },
  {
    name: 'resume',
    value: 'ID',
    completes: 'session',
    about: 'go on with this session; a unique beginning of its id will do',
  },
  {
    name: 'fork',
    about:
      'go on in a copy of the session, and leave it as it is; of the latest one unless --resume names it',
  },
  { name: 'no-session', about: 'keep no session file' },
  {
    name: 'system-append',
    value: 'TEXT',
    example: '"Answer in French."',
    about: 'add this to the end of the system prompt',
  },
  { name: 'fail-on-deny', about: 'exit with 3 if something that the model wanted was not allowed' },
  { name: 'cwd', value: 'DIR', example: '../other', completes: 'folder', about: 'work in this folder' },
  {
    name: 'debug',
    about: 'record requests, answers, tools and questions beside the session; larik trace shows them',
  },
  { name: 'quiet', short: 'q', about: 'only errors on standard error' },
  { name: 'project', about: 'change your own settings for this project only' },
  { name: 'json', about: 'one JSON value on standard output' },
  { name: 'cache', about: 'what each request shares with the one before it, and what was cached' },
  { name: 'dry-run', about: 'show what would be done, do nothing' },
  { name: 'force', about: 'also restore files that were changed since' },
  { name: 'all', about: 'everything that waits for approval; with revoke, everything that has it' },
  { name: 'yes', about: 'approve without being asked' },
  { name: 'help', short: 'h', about: 'show this' },
  { name: 'version', short: 'V', about: 'show the version' },
];

const runOptions = [
  'print',
  'ui',
  'plain',
  'output',
  'model',
  'effort',
  'mode',
  'allow',
  'deny',
  'max-steps',
  'budget',
  'timeout',
  'continue',
  'resume',
  'fork',
  'no-session',
  'system-append',
  'fail-on-deny',
  'debug',
] as const;

/** What every command takes. */
export const commonOptions = ['cwd', 'quiet', 'help', 'version'] as const;

function pageRow(name: string, page: string): CommandRow {
  return { name, usage: '', about: '', options: [], example: `larik help ${name}`, page };
}

/** What `--version` shows. */
export const versionPage = pageRow('version', `${version}\n`);

/** Help on what is no command. */
export const topics: readonly CommandRow[] = Object.entries(pages).map(([name, page]) => pageRow(name, page));

/** All that there is help on. The run itself stands first and has no name. */
export const commands: readonly CommandRow[] = [
  {
    name: '',
    usage: '[-p] [prompt]',
    about: 'talk to the model on the screen; with -p give it one task, also from standard input (-)',
    options: runOptions,
    example: 'larik -p "summarise this folder"',
  },
  {
    name: 'sessions',
    usage: 'list | show ID | export ID',
    about: 'sessions of this project',
    options: ['json'],
    operands: { first: ['list', 'show', 'export'], second: { show: 'session', export: 'session' } },
    example: 'larik sessions list',
  },
  {
    name: 'trace',
    usage: '[ID]',
    about: 'what --debug recorded of a session: a line for each request, answer, tool and question',
    options: ['cache', 'json'],
    operands: { first: 'session' },
    count: [0, 1],
    example: 'larik trace --cache',
  },
  {
    name: 'undo',
    usage: '[ID]',
    about: 'take back the file changes of the latest turn',
    options: ['dry-run', 'force', 'json'],
    operands: { first: 'session' },
    count: [0, 1],
    example: 'larik undo --dry-run',
  },
  {
    name: 'redo',
    usage: '[ID]',
    about: 'take an undo back',
    options: ['dry-run', 'force', 'json'],
    operands: { first: 'session' },
    count: [0, 1],
    example: 'larik redo',
  },
  {
    name: 'permissions',
    usage: "explain 'TOOL(INPUT)' | explain --json | test FILE",
    about: 'what would be allowed, and why, without running anything',
    options: ['json', 'mode', 'allow', 'deny'],
    operands: { first: ['explain', 'test'], second: { test: 'file' } },
    example: "larik permissions explain 'bash(git push --force)'",
  },
  {
    name: 'config',
    usage: 'list | get KEY | set KEY VALUE | unset KEY | edit | path | explain KEY',
    about: 'settings: what holds, where it comes from, and changes to it; a KEY such as limits.max_steps',
    options: ['json', 'project'],
    operands: { first: ['list', 'get', 'set', 'unset', 'edit', 'path', 'explain'] },
    example: 'larik config set limits.max_steps 50',
  },
  {
    name: 'trust',
    usage: 'list | approve [NAME…|--all] | revoke NAME…|--all',
    about: 'hooks, MCP servers and plugins that files of a project name: show, approve, take back',
    options: ['json', 'all', 'yes'],
    operands: { first: ['list', 'approve', 'revoke'] },
    example: 'larik trust list',
  },
  {
    name: 'context',
    usage: '',
    about: 'what a fresh context here would hold, with sizes; sends nothing',
    options: ['json', 'system-append'],
    count: [0, 0],
    example: 'larik context --json',
  },
  {
    name: 'doctor',
    usage: '',
    about: 'check this installation: programs, sandbox, keys, settings, folders; sends nothing to a provider',
    options: ['json'],
    count: [0, 0],
    example: 'larik doctor --json',
  },
  {
    name: 'models',
    usage: '[FILTER]',
    about: 'models that can be named, of providers that can be used here first: windows, limits, prices',
    options: ['json'],
    count: [0, 1],
    example: 'larik models anthropic',
  },
  {
    name: 'providers',
    usage: '[test NAME]',
    about: 'providers and where their keys are found; test sends one up to 6 requests, to see what it can do',
    options: ['model', 'json'],
    operands: { first: ['test'] },
    example: 'larik providers test anthropic',
  },
  {
    name: 'sandbox',
    usage: '[run -- CMD]',
    about: 'where commands of the model run, and what they may do there; run runs one there, for trying',
    options: ['json'],
    operands: { first: ['run'] },
    example: 'larik sandbox run -- npm test',
  },
  {
    name: 'completion',
    usage: 'bash | zsh | fish',
    about: 'print what makes a shell complete larik; the output says where to put it',
    options: [],
    operands: { first: ['bash', 'zsh', 'fish'] },
    count: [1, 1],
    example: 'source <(larik completion bash)',
  },
  {
    name: 'help',
    usage: '[TOPIC]',
    about: 'help on a command or another topic',
    options: [],
    count: [0, 1],
    example: 'larik help undo',
  },
  ...topics,
  versionPage,
];
