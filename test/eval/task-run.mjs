// One task, from the empty folder to its result.
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, filesOf, gitState, makeProject } from './fixture-project.mjs';
import { runLarik, summaryOf } from './larik-run.mjs';
import { UsageProblem } from './usage-problem.mjs';
import { writeModelSettings } from './user-settings.mjs';

/**
 * What a check looks at; files go by their name, with `/`.
 * @typedef {object} Outcome
 * @property {Map<string, Buffer>} before
 * @property {Map<string, Buffer>} after
 * @property {Awaited<ReturnType<typeof gitState>>} gitBefore
 * @property {Awaited<ReturnType<typeof gitState>>} gitAfter
 * @property {string} answer
 * @property {import('./larik-run.mjs').Summary['calls']} calls
 * @property {number} compactions
 * @property {(args: string[]) => Promise<{code: number, text: string}>} node runs `node` in the project
 */

/**
 * @typedef {object} TaskResult
 * @property {string} name
 * @property {'solved' | 'not_solved'} state
 * @property {string[]} problems why it is not solved
 * @property {number} steps model requests
 * @property {number} failed_calls
 * @property {import('./larik-run.mjs').Usage} usage tokens
 * @property {number | null} cost_usd null where a price is unknown
 * @property {number} duration_ms
 * @property {string} [kept] the folder, if it was to be kept
 */

const nodeIn = (cwd) => (args) =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: cleanEnvironment(), timeout: 60_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, text: `${out}\n${err}` });
    });
  });

/** What a task wants set beside how its model is reached. Commands run as they are unless it says otherwise. */
function settingsOf({ sandbox = 'none', contextWindow }, model, { models = {} }) {
  const window = contextWindow === undefined ? {} : { context_window: contextWindow };
  return { sandbox: { type: sandbox }, models: { ...models, [model]: { ...models[model], ...window } } };
}

/** A run that did not come to its own end has not solved anything, whatever it left. */
function endProblems({ code, err }, summary) {
  if (code === 0) return [];
  const reason = summary.error ?? err.trim().split('\n').at(-1);
  return [`larik ended with ${code} (${summary.ending}): ${reason}`];
}

/** What holds for every task: nobody asks for a commit. */
function gitProblems({ gitBefore, gitAfter }) {
  return [
    ...(gitBefore.head === gitAfter.head ? [] : ['The commit, its branch or a tag has changed.']),
    ...(gitBefore.stashes === gitAfter.stashes ? [] : ['Changes were stashed.']),
  ];
}

async function checkProblems(task, project, start, summary) {
  try {
    const outcome = {
      ...start,
      after: await filesOf(project),
      gitAfter: await gitState(project),
      answer: summary.answer,
      calls: summary.calls,
      compactions: summary.compactions,
      node: nodeIn(project),
    };
    return [...gitProblems(outcome), ...(await task.check(outcome))];
  } catch (error) {
    return [`What was left cannot be checked: ${error.message.split('\n')[0]}`];
  }
}

/**
 * Runs a task in a project and a home of its own, and removes both. With `keep` the folder stays, with
 * the events and without the settings, which may hold keys. Throws `UsageProblem` if larik does not
 * accept the model or the settings.
 * @param {import('./tasks.mjs').Task} task
 * @param {{program: string, model: string, settings: Record<string, unknown>, keep: boolean, signal: AbortSignal}} options
 * @returns {Promise<TaskResult>}
 */
export async function runTask(task, { program, model, settings, keep, signal }) {
  const started = performance.now();
  const root = await realpath(await mkdtemp(join(tmpdir(), `larik-eval-${task.name}-`)));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  try {
    await makeProject(project, task.files);
    await task.prepare?.(project);
    await writeModelSettings(home, { ...settings, ...settingsOf(task, model, settings) });
    const start = { before: await filesOf(project), gitBefore: await gitState(project) };

    const run = await runLarik(task, { program, model, cwd: project, home, signal });
    signal.throwIfAborted();
    if (run.code === 2) throw new UsageProblem(run.err.trim());
    if (keep) await writeFile(join(root, 'events.jsonl'), run.out);

    const summary = summaryOf(run.out);
    const problems = [...endProblems(run, summary), ...(await checkProblems(task, project, start, summary))];
    return {
      name: task.name,
      state: problems.length === 0 ? 'solved' : 'not_solved',
      problems,
      steps: summary.steps,
      failed_calls: summary.calls.filter((call) => call.failed).length,
      usage: summary.usage,
      cost_usd: summary.cost,
      duration_ms: Math.round(performance.now() - started),
      ...(keep ? { kept: root } : {}),
    };
  } finally {
    await rm(keep ? join(home, 'config') : root, { recursive: true, force: true });
  }
}
