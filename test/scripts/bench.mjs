// Measures the built program beside a bare loop of Node's, its screen in a terminal, and some of its parts.
// Ratios count; on a busy machine only they do. --only NAME (repeatable) measures one of them, --runs N sets
// how often (5), --json prints one JSON value.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'tsdown';
import { measureResume } from '../bench/resume.mjs';
import { measureWholes, wholes } from '../bench/wholes.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const partNames = ['loop', 'session', 'shell', 'sandbox', 'screen-frame', 'screen-scroll'];

/** The parts are TypeScript: built into a folder that is removed afterwards. */
async function measureParts(names) {
  if (names.length === 0) return [];
  const outDir = mkdtempSync(join(root, 'node_modules', '.larik-bench-'));
  try {
    await build({
      config: false,
      cwd: root,
      entry: { parts: 'test/bench/parts.ts' },
      outDir,
      format: 'esm',
      platform: 'node',
      fixedExtension: false,
      dts: false,
      logLevel: 'error',
    });
    const { parts } = await import(pathToFileURL(join(outDir, 'parts.js')).href);
    const rows = [];
    for (const name of names) rows.push(...(await parts[name]()));
    return rows;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

function resumeRow({ messages, readMs, restoreMs, rssMb }) {
  const name = `resume of ${messages.toLocaleString('en')} messages`;
  return { name, goal: 300, unit: 'ms', figure: readMs + restoreMs, detail: `${rssMb.toFixed(0)} MB` };
}

function holds({ goal, unit, figure }) {
  if (goal === null) return null;
  return unit === '=' ? figure === goal : figure <= goal;
}

function amount(value, unit) {
  if (unit === '=') return value === 1 ? 'all' : 'not all';
  return `${value < 10 ? value.toFixed(value < 0.1 ? 3 : 2) : value.toFixed(0)} ${unit}`;
}

function table(rows) {
  const cells = rows.map((row) => [
    row.name,
    row.goal === null ? '' : `${row.unit === '=' ? '' : '≤ '}${amount(row.goal, row.unit)}`,
    amount(row.figure, row.unit),
    { true: 'holds', false: 'DOES NOT HOLD', null: '' }[String(holds(row))],
    row.detail ?? '',
  ]);
  const all = [['what', 'goal', 'figure', '', ''], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '5' },
    json: { type: 'boolean' },
  },
});
const known = [...Object.keys(wholes), 'resume', ...partNames];
const wanted = values.only ?? known;
const unknown = wanted.find((name) => !known.includes(name));
const runs = Number(values.runs);
if (unknown !== undefined || !Number.isInteger(runs) || runs < 1) {
  console.error(
    `usage: npm run bench -- [--json] [--runs N] [--only NAME]…, NAME one of ${known.join(', ')}`,
  );
  process.exit(2);
}
const load = loadavg()[0];
const wholeRows = await measureWholes(
  wanted.filter((name) => name in wholes),
  runs,
);
const resumeRows = wanted.includes('resume') ? [resumeRow(await measureResume())] : [];
const rows = [
  ...wholeRows,
  ...resumeRows,
  ...(await measureParts(wanted.filter((name) => partNames.includes(name)))),
];
if (values.json) {
  console.log(JSON.stringify(rows.map((row) => ({ ...row, holds: holds(row) }))));
} else {
  console.log(table(rows));
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} processors, load ${load.toFixed(1)}, medians of ${runs} or more runs`,
  );
}
