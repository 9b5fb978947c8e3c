// Prints what the model reads, as the golden files pin it, with the size of each in bytes.
// --update rewrites the golden files from the code first.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, 'test', 'fixtures', 'prompts');
const update = process.argv.includes('--update');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const test = 'test/prompts/golden.test.ts';

const checked = spawnSync(
  process.execPath,
  [vitest, 'run', test, '--reporter=dot', ...(update ? ['--update'] : [])],
  {
    cwd: root,
    encoding: 'utf8',
    // Golden files that are missing are written only when asked for.
    env: { ...process.env, CI: '1' },
  },
);

const sizes = [];
for (const name of readdirSync(folder).sort()) {
  const bytes = readFileSync(join(folder, name));
  sizes.push([name, bytes.length]);
  if (/\.jsonl?$/.test(name)) continue;
  console.log(`──── ${name} (${bytes.length} bytes)\n\n${bytes.toString('utf8')}`);
}
console.log('──── sizes');
for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(7)}  ${name}`);

if (checked.status !== 0) {
  console.error(
    `\nThe golden files are not what the code gives (npm run prompts -- --update rewrites them):\n`,
  );
  console.error(checked.stdout);
  process.exitCode = 1;
}
