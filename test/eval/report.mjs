// Results as text and as figures.

/** @typedef {import('./task-run.mjs').TaskResult} TaskResult */

const number = (value) => value.toLocaleString('en-US');
const cost = (value) => (value === null ? 'cost unknown' : `$${value.toFixed(4)}`);
const plural = (count, one) => `${number(count)} ${one}${count === 1 ? '' : 's'}`;

function tokens({ input, output, cacheRead, cacheWrite }) {
  const cached = cacheRead === 0 ? '' : ` (${number(cacheRead)} cached)`;
  return `${number(input + cacheRead + cacheWrite)} tokens in${cached}, ${number(output)} out`;
}

const figures = ({ steps, failed_calls: failed, usage, cost_usd: price }) =>
  [plural(steps, 'step'), plural(failed, 'failed call'), tokens(usage), cost(price)].join(', ');

/**
 * A task's result: one line, and one more for each problem.
 * @param {TaskResult} result
 */
export function resultText(result) {
  const name = result.name.padEnd(18);
  const state = result.state === 'solved' ? 'solved    ' : 'NOT SOLVED';
  const kept = result.kept === undefined ? [] : [`kept in ${result.kept}`];
  const more = [...result.problems, ...kept].map((line) => `    ${line}`);
  return [`${name} ${state}  ${figures(result)}`, ...more].join('\n');
}

/**
 * All results in one; the cost is unknown where one of them is.
 * @param {TaskResult[]} results
 */
export function totalOf(results) {
  const sum = (value) => results.reduce((all, result) => all + value(result), 0);
  const count = (state) => results.filter((result) => result.state === state).length;
  return {
    solved: count('solved'),
    not_solved: count('not_solved'),
    steps: sum((result) => result.steps),
    failed_calls: sum((result) => result.failed_calls),
    usage: {
      input: sum((result) => result.usage.input),
      output: sum((result) => result.usage.output),
      cacheRead: sum((result) => result.usage.cacheRead),
      cacheWrite: sum((result) => result.usage.cacheWrite),
    },
    cost_usd: results.some((result) => result.cost_usd === null) ? null : sum((result) => result.cost_usd),
  };
}

/**
 * The last line.
 * @param {string} model
 * @param {ReturnType<typeof totalOf>} total
 */
export function totalText(model, total) {
  return `${model}: ${total.solved} of ${total.solved + total.not_solved} solved; ${figures(total)}`;
}
