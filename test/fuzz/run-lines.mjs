// Runs lines of bash, each in an empty folder, and tells what ran and what was written. Runs inside the
// sandbox: arguments are a file with the lines as JSON, and the folder to work in.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [linesFile, work] = process.argv.slice(2);
const lines = JSON.parse(readFileSync(linesFile, 'utf8'));
const results = [];
for (const line of lines) {
  const folder = join(work, 'empty');
  const temporary = '/tmp';
  const log = join(work, 'log');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(log, '');
  spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', line], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 3000,
    killSignal: 'SIGKILL',
    env: { PATH: '/usr/bin:/bin', HOME: folder, STAND_IN_LOG: log, LC_ALL: 'C.UTF-8' },
  });
  // What is still on its way, such as a process substitution, is waited for: it holds the folder's name.
  const ran = settled(log)
    .split('\u0002\u0001')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('\u0001').slice(0, -1));
  const written = [...readdirSync(folder), ...readdirSync(temporary)];
  for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true, force: true });
  results.push({ ran, written });
}
writeFileSync(join(work, 'results.json'), JSON.stringify(results));

/** Background commands and substitutions may outlive the line: wait until no other process is left. */
function settled(log) {
  for (let round = 0; round < 200; round += 1) {
    const others = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && Number(name) !== process.pid && name !== '1',
    );
    if (others.length === 0) break;
    if (round > 100)
      for (const pid of others)
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          /* It has ended. */
        }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
  return readFileSync(log, 'utf8');
}
