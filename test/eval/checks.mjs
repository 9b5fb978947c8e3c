// What the checks of several tasks have in common. Each returns the problems it found, as sentences.

/** @typedef {import('./task-run.mjs').Outcome} Outcome */

/** @param {string} text @param {string} other */
function firstDifference(text, other) {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  const at = lines.findIndex((line, i) => line !== others[i]);
  const number = at === -1 ? lines.length : at;
  const shown = (line) => (line === undefined ? 'nothing' : JSON.stringify(line.slice(0, 120)));
  return `line ${number + 1} is ${shown(lines[number])} and not ${shown(others[number])}`;
}

/**
 * The file has these bytes.
 * @param {Outcome} outcome
 * @param {string} name
 * @param {string} expected
 * @returns {string[]}
 */
export function hasText({ after }, name, expected) {
  const text = after.get(name)?.toString('utf8');
  if (text === undefined) return [`${name} is not there.`];
  return text === expected ? [] : [`${name} is not as asked: ${firstDifference(text, expected)}.`];
}

/**
 * No file was added, changed or removed, but those named.
 * @param {Outcome} outcome
 * @param {string[]} [except]
 * @returns {string[]}
 */
export function keeps({ before, after }, except = []) {
  const names = new Set([...before.keys(), ...after.keys()].filter((name) => !except.includes(name)));
  return [...names].sort().flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined) return [`${name} was added.`];
    if (now === undefined) return [`${name} was removed.`];
    return old.equals(now) ? [] : [`${name} was changed.`];
  });
}

/**
 * The answer holds each of these.
 * @param {Outcome} outcome
 * @param {Record<string, RegExp>} patterns what it says, and how that is recognised
 * @returns {string[]}
 */
export function says({ answer }, patterns) {
  return Object.entries(patterns).flatMap(([what, pattern]) =>
    pattern.test(answer) ? [] : [`The answer does not say ${what}.`],
  );
}

/**
 * `node` with these arguments ends well in the project.
 * @param {Outcome} outcome
 * @param {string[]} args
 * @param {string} otherwise what is told if it does not
 * @returns {Promise<string[]>}
 */
export async function nodeRuns({ node }, args, otherwise) {
  const { code, text } = await node(args);
  if (code === 0) return [];
  const reason = text.split('\n').find((line) => /error|expected|not ok/i.test(line));
  return [reason === undefined ? otherwise : `${otherwise} (${reason.trim().slice(0, 160)})`];
}

/**
 * The module does what these statements assert; `assert` and what the module exports, as `it`, are there.
 * @param {Outcome} outcome
 * @param {string} path
 * @param {string} statements
 * @param {string} otherwise
 */
export function behaves(outcome, path, statements, otherwise) {
  const source = `import assert from 'node:assert/strict';\nimport * as it from './${path}';\n${statements}`;
  return nodeRuns(outcome, ['--input-type=module', '-e', source], otherwise);
}
