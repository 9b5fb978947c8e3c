// Tries a model with small tasks in projects of their own, and says of each whether it was solved,
// judged by what came of it. It needs a model, so it is not part of the tests.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resultText, totalOf, totalText } from '../eval/report.mjs';
import { runTask } from '../eval/task-run.mjs';
import { tasks } from '../eval/tasks.mjs';
import { UsageProblem } from '../eval/usage-problem.mjs';
import { readModelSettings } from '../eval/user-settings.mjs';

const program = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', 'main.js');

const usage = `Usage: npm run eval -- --model MODEL [--task NAME]… [--json] [--jobs N] [--keep]

  --model MODEL  as larik takes it; {task} in it stands for the task's name (script/scripts/{task}.json)
  --task NAME    only this task; repeatable
  --json         one JSON value instead of lines
  --jobs N       tasks that run at the same time (1)
  --keep         keep each task's folder: the project as it was left, the session and the events

Tasks:
${tasks.map((task) => `  ${task.name.padEnd(18)} ${task.about}`).join('\n')}

Exit codes: 0 all that ran were solved, 1 one was not or none ran, 2 bad usage or settings, 130 interrupted.`;

const options = {
  model: { type: 'string' },
  task: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '1' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parsed() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageProblem(error.message);
  }
}

function chosen(names) {
  if (names === undefined) return tasks;
  const unknown = names.find((name) => !tasks.some((task) => task.name === name));
  if (unknown !== undefined) throw new UsageProblem(`there is no task ${unknown}`);
  return tasks.filter((task) => names.includes(task.name));
}

/** The model for a task. A script lies where this was called, not where the task runs. */
function modelFor(model, task) {
  const named = model.replaceAll('{task}', task.name);
  const script = 'script/';
  return named.startsWith(script) ? script + resolve(named.slice(script.length)) : named;
}

/** The results in the tasks' order; at most `jobs` run at once, and the first error ends them all. */
async function inTurn(list, jobs, abort, run) {
  const results = [];
  const waiting = list.entries();
  const worker = async () => {
    for (const [i, task] of waiting) results[i] = await run(task);
  };
  const workers = Array.from({ length: jobs }, () =>
    worker().catch((error) => {
      abort.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  abort.signal.throwIfAborted();
  return results;
}

async function evaluate(abort) {
  const { model, task: names, json, jobs: jobsText, keep, help } = parsed();
  if (help) {
    console.log(usage);
    return 0;
  }
  const jobs = Number(jobsText);
  if (model === undefined) throw new UsageProblem('--model is missing');
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new UsageProblem(`--jobs: expected 1 or more, got ${jobsText}`);
  const list = chosen(names);
  if (!existsSync(program)) throw new UsageProblem('dist/main.js is missing: npm run build makes it');
  const settings = await readModelSettings(program, tmpdir());

  const results = await inTurn(list, jobs, abort, async (task) => {
    const result = await runTask(task, {
      program,
      model: modelFor(model, task),
      settings,
      keep,
      signal: abort.signal,
    });
    if (!json) console.log(resultText(result));
    return result;
  });

  const total = totalOf(results);
  if (json) console.log(JSON.stringify({ model, tasks: results, total }));
  else console.log(`\n${totalText(model, total)}`);
  return total.not_solved === 0 && total.solved > 0 ? 0 : 1;
}

const abort = new AbortController();
const interrupted = Symbol('interrupted');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => abort.abort(interrupted));
try {
  process.exitCode = await evaluate(abort);
} catch (error) {
  if (error === interrupted) process.exitCode = 130;
  else if (error instanceof UsageProblem) {
    console.error(`${error.message}\n(npm run eval -- --help lists options and tasks)`);
    process.exitCode = 2;
  } else throw error;
}
