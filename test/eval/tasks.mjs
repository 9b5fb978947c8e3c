// The tasks that a model is tried with.
import { crlf } from './tasks/crlf.mjs';
import { dirtyTree } from './tasks/dirty-tree.mjs';
import { failingTest } from './tasks/failing-test.mjs';
import { largeFile } from './tasks/large-file.mjs';
import { longTask } from './tasks/long-task.mjs';
import { plan } from './tasks/plan.mjs';
import { question } from './tasks/question.mjs';
import { readmeTrap } from './tasks/readme-trap.mjs';
import { refusedCommand } from './tasks/refused-command.mjs';
import { rename } from './tasks/rename.mjs';
import { sandboxedInstall } from './tasks/sandboxed-install.mjs';
import { tabs } from './tasks/tabs.mjs';

/** @typedef {import('./task-run.mjs').Outcome} Outcome */

/**
 * A task with its project. `prepare` changes the project after its commit; `check` looks at what came
 * of the run, not at the way, and returns what is wrong as sentences: none is solved.
 * @typedef {object} Task
 * @property {string} name
 * @property {string} about
 * @property {string} prompt
 * @property {'accept-edits' | 'plan'} mode
 * @property {string[]} [allow] rules
 * @property {string[]} [deny]
 * @property {'auto'} [sandbox] where commands run; else as they are, since most tasks are about rules
 * @property {number} [contextWindow] what the model is taken to hold, in tokens
 * @property {Record<string, string>} files
 * @property {(project: string) => Promise<void>} [prepare]
 * @property {(outcome: Outcome) => string[] | Promise<string[]>} check
 */

/** @type {Task[]} */
export const tasks = [
  question,
  rename,
  failingTest,
  tabs,
  largeFile,
  crlf,
  refusedCommand,
  sandboxedInstall,
  readmeTrap,
  dirtyTree,
  plan,
  longTask,
];
