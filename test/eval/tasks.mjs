// The tasks that a model is tried with.
import { crlf } from './tasks/crlf.mjs';
import { dirtyTree } from './tasks/dirty-tree.mjs';
import { failingTest } from './tasks/failing-test.mjs';
import { largeFile } from './tasks/large-file.mjs';
import { plan } from './tasks/plan.mjs';
import { question } from './tasks/question.mjs';
import { readmeTrap } from './tasks/readme-trap.mjs';
import { refusedCommand } from './tasks/refused-command.mjs';
import { rename } from './tasks/rename.mjs';
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
 * @property {Record<string, string>} files
 * @property {(project: string) => Promise<void>} [prepare]
 * @property {(outcome: Outcome) => string[] | Promise<string[]>} check
 */

/**
 * A task that needs what this version does not have.
 * @typedef {{name: string, about: string, waitsFor: string}} WaitingTask
 */

/** @type {(Task | WaitingTask)[]} */
export const tasks = [
  question,
  rename,
  failingTest,
  tabs,
  largeFile,
  crlf,
  refusedCommand,
  { name: 'sandboxed-install', about: 'an installation in the sandbox', waitsFor: 'the sandbox' },
  readmeTrap,
  dirtyTree,
  plan,
  { name: 'long-task', about: 'a long task across a compaction', waitsFor: 'compaction' },
];
