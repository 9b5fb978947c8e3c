// Runs the tests that hold cases and says of every case id whether it passes, fails or waits.
// A test belongs to the case whose id is the first word of its title.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const fixtures = join(root, 'test', 'fixtures');
const read = (...parts) => readFileSync(join(...parts), 'utf8');
const filesIn = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

/** Every case, in the order in which it is told. */
function allIds() {
  const cases = filesIn(join(fixtures, 'cases')).sort();
  const listed = cases
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) =>
      read(fixtures, 'cases', file)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line).id),
    );
  const told = cases
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      Array.from(read(fixtures, 'cases', file).matchAll(/\*\*([A-Z]+-\d+)\*\*/g), ([, id]) => id),
    );
  const wire = filesIn(join(fixtures, 'wire'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((file) => {
      const answer = /^(.+\/.+)\.expect\.json$/.exec(file);
      const request = /^(transcripts\/\d\d-[^.]+\.[^.]+)\.json$/.exec(file);
      return [answer?.[1] ?? request?.[1]].filter((id) => id !== undefined);
    });
  return [...new Set([...listed, ...told, ...wire])];
}

/** States of the tests of each id. */
function results(ids) {
  const known = new Set(ids);
  const marks = /fixtures\/|\b[A-Z]{2,6}-\d\d\b/;
  const tests = filesIn(join(root, 'test'))
    .filter((file) => file.endsWith('.test.ts') && marks.test(read(root, 'test', file)))
    .map((file) => join('test', file));
  const folder = mkdtempSync(join(tmpdir(), 'larik-cases-'));
  try {
    const output = join(folder, 'report.json');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const run = spawnSync(
      process.execPath,
      [vitest, 'run', ...tests, '--reporter=json', `--outputFile=${output}`],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (!existsSync(output)) throw new Error(`the tests did not run (exit code ${run.status})`);
    const states = new Map();
    const broken = [];
    for (const file of JSON.parse(readFileSync(output, 'utf8')).testResults) {
      if (file.status === 'failed' && file.assertionResults.length === 0) broken.push(file.name);
      for (const { title, status } of file.assertionResults) {
        const id = title.split(' ', 1)[0];
        if (known.has(id)) states.set(id, [...(states.get(id) ?? []), status]);
        else if (status === 'failed' && title.startsWith('still waiting: ')) broken.push(title);
      }
    }
    return { states, broken };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether an entry of the waiting list names the case: `*` stands for anything. */
function names(entry, id) {
  const parts = entry.split('*').map((part) => part.replaceAll(/[./]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}

/** What a case waits for; its own entry goes before one with a `*`. */
function waitingFor(waiting, id) {
  if (Object.hasOwn(waiting, id)) return waiting[id];
  return waiting[Object.keys(waiting).find((entry) => names(entry, id))];
}

function stateOf(id, states, waiting) {
  const own = (states.get(id) ?? []).filter((state) => state === 'passed' || state === 'failed');
  const reason = waitingFor(waiting, id);
  if (own.includes('failed')) return 'FAIL';
  if (own.length === 0) return reason === undefined ? 'MISSING' : `waiting: ${reason}`;
  return Object.hasOwn(waiting, id) ? 'STALE: passes, so take it off test/fixtures/waiting.json' : 'pass';
}

const ids = allIds();
const waiting = JSON.parse(read(fixtures, 'waiting.json'));
const { states, broken } = results(ids);
const groups = new Map();
const total = {};
for (const id of ids) {
  const state = stateOf(id, states, waiting);
  const kind = state.split(':', 1)[0];
  const group = id.includes('/') ? id.split('/', 1)[0] : id.replace(/-\d+$/, '');
  const counts = groups.get(group) ?? {};
  counts[kind] = (counts[kind] ?? 0) + 1;
  groups.set(group, counts);
  total[kind] = (total[kind] ?? 0) + 1;
  console.log(`${id}  ${state}`);
}
const inWords = (counts) =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
const unknown = Object.keys(waiting).filter((entry) => !ids.some((id) => names(entry, id)));

console.log('');
for (const [group, counts] of groups) console.log(`${group}: ${inWords(counts)}`);
console.log(`${ids.length} cases: ${inWords(total)}`);
for (const key of unknown) console.log(`on the waiting list, but no case: ${key}`);
for (const name of broken) console.log(`FAIL ${name}`);
const bad = (total.FAIL ?? 0) + (total.MISSING ?? 0) + (total.STALE ?? 0) + unknown.length + broken.length;
process.exitCode = bad > 0 ? 1 : 0;
