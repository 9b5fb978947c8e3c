/**
 * What other agents' command lines call the things that larik has, or has not. `here` is what to write
 * instead; `say` stands for it where a sentence is needed. A `{value}` in either is what was typed.
 */
export interface ForeignWord {
  /** Long options with their dashes, short ones too, or a command's bare name. */
  names: readonly string[];
  /** Followed by a value of its own. */
  takesValue?: true;
  here?: string;
  say?: string;
  /** Values whose answer differs. */
  values?: Readonly<Record<string, string>>;
}

const everything = { here: '--mode yolo' };
const notNeeded = 'is not needed here; leave it out';

/** Options (spec: cli). An option that larik has itself is never looked up here. */
export const foreignOptions: readonly ForeignWord[] = [
  {
    names: [
      '--yolo',
      '--dangerously-skip-permissions',
      '--allow-dangerously-skip-permissions',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-allow-all',
      '--yes-always',
      '--auto-approve',
      '--allow-all-tools',
      '-y',
    ],
    ...everything,
  },
  { names: ['--full-auto', '--auto-edit', '--accept-edits'], here: '--mode accept-edits' },
  { names: ['--plan'], here: '--mode plan' },
  {
    names: ['--permission-mode', '--approval-mode'],
    takesValue: true,
    here: '--mode MODE',
    values: {
      acceptEdits: '--mode accept-edits',
      auto_edit: '--mode accept-edits',
      'auto-edit': '--mode accept-edits',
      bypassPermissions: '--mode yolo',
      'full-auto': '--mode yolo',
      yolo: '--mode yolo',
      plan: '--mode plan',
      default: '--mode default',
      suggest: '--mode default',
    },
  },
  {
    names: ['--ask-for-approval', '-a'],
    takesValue: true,
    here: '--mode MODE',
    values: { never: '--mode yolo', 'on-request': '--mode default', untrusted: '--mode default' },
  },
  {
    names: ['--sandbox', '-s'],
    takesValue: true,
    say: 'is a setting here: "sandbox" in the settings (larik help settings)',
    values: { 'read-only': '--mode plan' },
  },
  { names: ['--allowedTools', '--allowed-tools', '--allow-tool'], takesValue: true, here: "--allow 'RULE'" },
  {
    names: ['--disallowedTools', '--disallowed-tools', '--deny-tool', '--exclude-tools'],
    takesValue: true,
    here: "--deny 'RULE'",
  },
  {
    names: ['--output-format', '--format'],
    takesValue: true,
    here: '--output FORMAT',
    values: {
      text: '--output text',
      json: '--output result',
      'stream-json': '--output json',
      jsonl: '--output json',
    },
  },
  { names: ['--stream'], here: '--output json' },
  { names: ['--max-turns', '--max-session-turns', '--steps'], takesValue: true, here: '--max-steps {value}' },
  { names: ['--max-budget-usd', '--max-cost'], takesValue: true, here: '--budget {value}' },
  {
    names: ['--append-system-prompt', '--append-system-prompt-file'],
    takesValue: true,
    here: '--system-append TEXT',
  },
  {
    names: ['--system-prompt', '--system-prompt-file', '--instructions'],
    takesValue: true,
    say: 'has no like here: the system prompt is added to, with --system-append TEXT or a file AGENTS.md',
  },
  {
    names: ['--add-dir', '--include-directories'],
    takesValue: true,
    say: 'is not needed to read; to write elsewhere, start larik there with --cwd, or name the folder in "sandbox.writable"',
  },
  { names: ['--cd', '-C', '--dir', '--directory', '--working-dir'], takesValue: true, here: '--cwd {value}' },
  {
    names: ['--mcp-config', '--strict-mcp-config', '--mcp'],
    takesValue: true,
    say: 'has no like here: this version runs no MCP servers; leave it out',
  },
  { names: ['--verbose', '-v'], say: `${notNeeded} (-q is quiet; --output json prints every event)` },
  { names: ['-d'], here: '--debug' },
  {
    names: [
      '--include-partial-messages',
      '--replay-user-messages',
      '--skip-git-repo-check',
      '--trust',
      '--no-color',
    ],
    say: notNeeded,
  },
  { names: ['-m'], takesValue: true, here: '--model {value}' },
  { names: ['--reasoning-effort', '--thinking', '--variant'], takesValue: true, here: '--effort EFFORT' },
  { names: ['--message', '--prompt', '--prompt-interactive', '-i'], takesValue: true, here: '-p {value}' },
  { names: ['-r', '--session', '--session-id'], takesValue: true, here: '--resume ID' },
  { names: ['--list-sessions'], here: 'larik sessions list' },
  { names: ['--list-models'], here: 'larik models' },
  { names: ['--fork-session'], here: '--resume ID --fork' },
  { names: ['--no-session-persistence', '--ephemeral'], here: '--no-session' },
  {
    names: ['--settings', '--profile', '--config', '--setting-sources'],
    takesValue: true,
    say: 'has no like here; larik config path shows the files of the settings, and LARIK_HOME moves them',
  },
  { names: ['--fallback-model'], takesValue: true, say: 'has no like here; leave it out' },
  {
    names: ['--image', '--file', '-f'],
    takesValue: true,
    say: 'is not needed here: name the file in the prompt, as @PATH',
  },
  {
    names: ['--json-schema', '--output-schema'],
    takesValue: true,
    say: 'has no like in this version; ask for the shape in the prompt, and check it behind',
  },
];

const inPrompt = 'larik -p "…"';

/** First words that are other agents' commands. */
export const foreignCommands: readonly ForeignWord[] = [
  { names: ['exec', 'run', 'ask', 'e', 'headless'], here: inPrompt },
  {
    names: ['chat', 'start', 'tui', 'interactive'],
    say: `needs a screen, which this version has not; one task: ${inPrompt}`,
  },
  { names: ['resume', 'continue'], here: 'larik -p -c "…" (the latest), or larik -p --resume ID "…"' },
  { names: ['fork'], here: 'larik -p --resume ID --fork "…"' },
  {
    names: ['login', 'logout', 'auth', 'setup-token', 'signin'],
    say: 'is not needed here: set the variable of a key, such as ANTHROPIC_API_KEY (larik help environment); larik doctor shows what is found',
  },
  { names: ['update', 'upgrade', 'install'], here: 'npm install -g larik@latest' },
  { names: ['history'], here: 'larik sessions list' },
  { names: ['export', 'share'], here: 'larik sessions export ID' },
  { names: ['settings', 'set'], here: 'larik config list (the keys: larik help settings)' },
  {
    names: ['init'],
    say: 'is not needed here; write a file AGENTS.md, or have it written: larik -p "write an AGENTS.md for this project"',
  },
  { names: ['review'], here: 'larik -p "review the changes since the last commit"' },
  { names: ['mcp'], say: 'has no like here: this version runs no MCP servers' },
  { names: ['stats', 'usage', 'cost'], here: 'larik -p --output result "…" (it ends with usage and cost)' },
  { names: ['model'], here: 'larik models' },
  { names: ['version'], here: 'larik --version' },
];
