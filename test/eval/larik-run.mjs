// The built program as a child process, and what its events say of the run.
import { spawn } from 'node:child_process';
import { cleanEnvironment } from './fixture-project.mjs';

/** @typedef {{input: number, output: number, cacheRead: number, cacheWrite: number}} Usage */

/**
 * What the events say of a run. `answer` is the text of the last message, `ending` the stop reason.
 * @typedef {object} Summary
 * @property {string} answer
 * @property {{name: string, input: unknown, failed: boolean, refused: boolean}[]} calls
 * @property {number} steps model requests
 * @property {number} compactions
 * @property {Usage} usage tokens
 * @property {number | null} cost USD; null where a price is unknown
 * @property {string} ending
 * @property {string | undefined} error
 */

/** Seconds and model requests that a run may take. */
const timeLimit = 900;
const stepLimit = 60;

function argumentsFor({ prompt, mode, allow = [], deny = [] }, model) {
  const limits = ['--timeout', `${timeLimit}`, '--max-steps', `${stepLimit}`];
  const rules = [...allow.map((rule) => ['--allow', rule]), ...deny.map((rule) => ['--deny', rule])].flat();
  return ['-p', prompt, '--model', model, '--mode', mode, ...rules, ...limits, '--output', 'json'];
}

/**
 * Gives larik the task; resolves once it has ended. `signal` interrupts it as the user would.
 * @param {import('./tasks.mjs').Task} task
 * @param {{program: string, model: string, cwd: string, home: string, signal: AbortSignal}} options
 * @returns {Promise<{code: number | string, out: string, err: string}>}
 */
export function runLarik(task, { program, model, cwd, home, signal }) {
  const env = { ...cleanEnvironment(), LARIK_HOME: home };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...argumentsFor(task, model)], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a group of its own: a Ctrl-C would reach it twice, and the second one ends it uncleanly.
      detached: process.platform !== 'win32',
    });
    const interrupt = () => child.kill('SIGINT');
    // Its own limit comes first; this one is for a run that does not keep to it.
    const guard = setTimeout(() => child.kill('SIGKILL'), (timeLimit + 60) * 1000);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    const ended = () => {
      clearTimeout(guard);
      signal.removeEventListener('abort', interrupt);
    };
    child.on('error', (error) => {
      ended();
      reject(error);
    });
    child.on('close', (code, killedBy) => {
      ended();
      resolve({ code: code ?? killedBy, out, err });
    });
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
  });
}

/** The events; a last line that was cut off is none. */
const eventsIn = (out) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const textOf = (message) =>
  message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/**
 * @param {string} out what larik printed with `--output json`
 * @returns {Summary}
 */
export function summaryOf(out) {
  const events = eventsIn(out);
  const all = (type) => events.filter((event) => event.type === type);
  const [done, used, last] = ['done', 'usage', 'assistant_message'].map((type) => all(type).at(-1));
  const blocks = all('assistant_message').flatMap(({ message }) => message.blocks);
  const inputs = new Map(
    blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.input]] : [])),
  );
  return {
    answer: last === undefined ? '' : textOf(last.message),
    calls: all('tool_end').map((end) => ({
      name: end.tool_name,
      input: inputs.get(end.tool_id),
      failed: end.is_error,
      refused: end.is_error && end.output.startsWith('Refused'),
    })),
    steps: all('usage').length,
    compactions: all('compacted').length,
    usage: done?.usage ?? used?.turn ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    cost: done?.cost_usd ?? used?.cost_usd ?? null,
    ending: done?.stop_reason ?? 'no end',
    error: all('error').at(-1)?.text,
  };
}
