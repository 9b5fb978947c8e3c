import { open, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';

/**
 * One of many processes that want a lock: says whether it was alone with it, and is killed while it
 * holds it. All begin once they have started, and each waits so many milliseconds at a time, as often as
 * it takes.
 */
const [path = '', waitMs = ''] = process.argv.slice(2);

async function take(): Promise<void> {
  while ('heldBy' in (await takeFileLock(path, Number(waitMs)))) await setTimeout(1);
}

process.stdout.write('ready ');
await new Promise((resolve) => process.stdin.once('data', resolve));
await take();
const inside = `${path}.inside`;
try {
  await (await open(inside, 'wx')).close();
  await setTimeout(5);
  await rm(inside);
  await new Promise((resolve) => process.stdout.write('alone', resolve));
} catch {
  await new Promise((resolve) => process.stdout.write('not alone', resolve));
}
process.kill(process.pid, 'SIGKILL');
