import type { Command, EarlyCommand } from './command.ts';
import { connect } from './connect/connect.ts';
import { effort } from './models/effort.ts';
import { mode } from './models/mode.ts';
import { model } from './models/model.ts';
import { providers } from './models/providers.ts';
import { init } from './prompts/init.ts';
import { review, securityReview } from './prompts/review.ts';
import { doctor, trust } from './reports/checks.ts';
import { context } from './reports/context.ts';
import { cost } from './reports/cost.ts';
import { permissions } from './reports/permissions.ts';
import { debug, trace } from './reports/record.ts';
import { sandbox } from './reports/sandbox.ts';
import { clear, compact, quit, title } from './session/clear.ts';
import { copy, exportCommand } from './session/export.ts';
import { help } from './session/help.ts';
import { rewind } from './session/rewind.ts';
import { fork, newSession, sessions } from './session/sessions.ts';
import { todos } from './session/todos.ts';
import { redo, undo } from './session/undo.ts';
import { config } from './settings/config.ts';
import { statusLine } from './settings/status-line.ts';
import { theme } from './settings/theme.ts';

/** Every slash command that this version has, in the order of the palette. */
export const table: readonly (Command | EarlyCommand)[] = [
  model,
  effort,
  mode,
  connect,
  providers,
  sessions,
  newSession,
  clear,
  compact,
  undo,
  redo,
  rewind,
  fork,
  title,
  todos,
  copy,
  exportCommand,
  cost,
  context,
  permissions,
  sandbox,
  trust,
  review,
  securityReview,
  init,
  config,
  theme,
  statusLine,
  doctor,
  debug,
  trace,
  help,
  quit,
];
