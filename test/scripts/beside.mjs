// Runs scripts of package.json beside each other, two at a time and those named first at first; of each
// that fails shows what it printed. Ends with 1 if one failed.
import { spawn } from 'node:child_process';

const names = process.argv.slice(2);
if (names.length === 0) {
  process.stderr.write('name the scripts of package.json to run, the longest first\n');
  process.exit(2);
}
const windows = process.platform === 'win32';

/** Runs a script to its end; true if it went well. */
function run(name) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], {
      shell: windows,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes));
    child.on('error', (error) => printed.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      process.stdout.write(`${name}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}

const waiting = [...names];
const worker = async () => {
  let good = true;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    good = (await run(name)) && good;
  return good;
};
const ends = await Promise.all([worker(), worker()]);
if (ends.includes(false)) process.exitCode = 1;
