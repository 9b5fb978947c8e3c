import type { CommandRow } from '../../../adapters/frontends/host.ts';
import type { Command, EarlyCommand } from './command.ts';

/** A slash command as the palette shows it, and its code, which loads when it is first used. */
export type CommandEntry = CommandRow &
  ({ early?: false; load(): Promise<Command> } | { early: true; load(): Promise<EarlyCommand> });

/** Every slash command that this version has, in the order of the palette. */
export const table: readonly CommandEntry[] = [
  {
    name: 'model',
    about: 'choose the model that answers',
    argument: '[MODEL]',
    aliases: ['models'],
    whileRunning: true,
    load: async () => (await import('./models/model.ts')).model,
  },
  {
    name: 'effort',
    about: 'how much the model reasons',
    argument: '[low|medium|high|xhigh|max|default]',
    whileRunning: true,
    load: async () => (await import('./models/effort.ts')).effort,
  },
  {
    name: 'mode',
    about: 'what is asked before it is done',
    argument: '[MODE]',
    whileRunning: true,
    load: async () => (await import('./models/mode.ts')).mode,
  },
  {
    name: 'connect',
    about: 'connect to a provider: find or enter a key, try it, choose a model',
    early: true,
    load: async () => (await import('./connect/connect.ts')).connect,
  },
  {
    name: 'providers',
    about: 'providers, and where their keys are found',
    whileRunning: true,
    load: async () => (await import('./models/providers.ts')).providers,
  },
  {
    name: 'sessions',
    about: 'go on with another session of this project',
    argument: '[ID]',
    aliases: ['resume'],
    load: async () => (await import('./session/sessions.ts')).sessions,
  },
  {
    name: 'new',
    about: 'begin a new session; this one can be gone on with',
    load: async () => (await import('./session/sessions.ts')).newSession,
  },
  {
    name: 'clear',
    about: 'begin afresh; the model forgets what was said',
    load: async () => (await import('./session/clear.ts')).clear,
  },
  {
    name: 'compact',
    about: 'replace the conversation by a summary of it',
    argument: '[what to keep above all]',
    load: async () => (await import('./session/clear.ts')).compact,
  },
  {
    name: 'undo',
    about: 'take back the file changes of the latest turn',
    load: async () => (await import('./session/undo.ts')).undo,
  },
  {
    name: 'redo',
    about: 'take an undo back',
    load: async () => (await import('./session/undo.ts')).redo,
  },
  {
    name: 'rewind',
    about: 'go back to before an earlier prompt, in a copy of this session',
    load: async () => (await import('./session/rewind.ts')).rewind,
  },
  {
    name: 'fork',
    about: 'go on in a copy of this session',
    load: async () => (await import('./session/sessions.ts')).fork,
  },
  {
    name: 'title',
    about: 'name this session; without a text the model is asked for a name',
    argument: '[TEXT]',
    load: async () => (await import('./session/clear.ts')).title,
  },
  {
    name: 'todos',
    about: 'what the model has noted to do',
    whileRunning: true,
    load: async () => (await import('./session/todos.ts')).todos,
  },
  {
    name: 'copy',
    about: 'copy the last answer',
    whileRunning: true,
    load: async () => (await import('./session/export.ts')).copy,
  },
  {
    name: 'export',
    about: 'write this session to a new Markdown file',
    argument: '[FILE]',
    whileRunning: true,
    load: async () => (await import('./session/export.ts')).exportCommand,
  },
  {
    name: 'cost',
    about: 'what this session has used and cost',
    whileRunning: true,
    load: async () => (await import('./reports/cost.ts')).cost,
  },
  {
    name: 'context',
    about: 'how full the context is, and what is in it from the start',
    whileRunning: true,
    load: async () => (await import('./reports/context.ts')).context,
  },
  {
    name: 'permissions',
    about: 'rules in force; with a call, such as bash(git push), what would happen to it',
    argument: '[TOOL(INPUT)]',
    whileRunning: true,
    load: async () => (await import('./reports/permissions.ts')).permissions,
  },
  {
    name: 'sandbox',
    about: 'where commands run, and what they may do there',
    whileRunning: true,
    load: async () => (await import('./reports/sandbox.ts')).sandbox,
  },
  {
    name: 'trust',
    about: 'hooks, servers and plugins that files of the project name',
    whileRunning: true,
    load: async () => (await import('./reports/checks.ts')).trust,
  },
  {
    name: 'review',
    about: 'have the model review the uncommitted changes, or those you name',
    argument: '[RANGE]',
    load: async () => (await import('./prompts/review.ts')).review,
  },
  {
    name: 'security-review',
    about: 'the same, for what an attacker could use',
    argument: '[RANGE]',
    load: async () => (await import('./prompts/review.ts')).securityReview,
  },
  {
    name: 'init',
    about: 'have the model write an AGENTS.md for this project',
    load: async () => (await import('./prompts/init.ts')).init,
  },
  {
    name: 'config',
    about: 'change settings',
    argument: '[KEY]',
    aliases: ['settings'],
    whileRunning: true,
    load: async () => (await import('./settings/config.ts')).config,
  },
  {
    name: 'theme',
    about: 'colours of the screen',
    argument: '[NAME]',
    whileRunning: true,
    load: async () => (await import('./settings/theme.ts')).theme,
  },
  {
    name: 'statusline',
    about: 'a command of yours whose output stands in the status line',
    argument: '[COMMAND|off]',
    whileRunning: true,
    load: async () => (await import('./settings/status-line.ts')).statusLine,
  },
  {
    name: 'doctor',
    about: 'check this installation',
    whileRunning: true,
    load: async () => (await import('./reports/checks.ts')).doctor,
  },
  {
    name: 'debug',
    about: 'whether requests, answers and tools are recorded',
    whileRunning: true,
    load: async () => (await import('./reports/record.ts')).debug,
  },
  {
    name: 'trace',
    about: 'what was recorded of this session, with --debug',
    whileRunning: true,
    load: async () => (await import('./reports/record.ts')).trace,
  },
  {
    name: 'help',
    about: 'keys and commands',
    aliases: ['keys'],
    whileRunning: true,
    load: async () => (await import('./session/help.ts')).help,
  },
  {
    name: 'quit',
    about: 'end larik; the session can be gone on with',
    aliases: ['exit', 'q'],
    whileRunning: true,
    load: async () => (await import('./session/clear.ts')).quit,
  },
];
