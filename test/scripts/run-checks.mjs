import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Runs the tests of a folder with numbers from the command line in variables: `options` names the
 * variable of each option.
 */
export function runChecks(folder, options) {
  const known = Object.keys(options);
  const usage = `Usage: ${known.map((name) => `[--${name} N]`).join(' ')}`;
  const env = { ...process.env };
  try {
    const { values } = parseArgs({
      options: Object.fromEntries(known.map((name) => [name, { type: 'string' }])),
    });
    for (const [name, value] of Object.entries(values)) {
      if (!/^\d+$/.test(value)) throw new Error(`--${name}: expected a whole number, got ${value}`);
      env[options[name]] = value;
    }
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', folder], { cwd: root, env, stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
