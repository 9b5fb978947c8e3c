import { open, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { lockSession, type SessionLock } from '../../../adapters/sessions/session-lock.ts';
import { isPortError } from '../../../ports/errors.ts';

/**
 * One of many processes that want a lock: says whether it was alone with it, and is killed while it
 * holds it. All begin once they have started, and each tries again until it had it.
 */
const path = process.argv[2] ?? '';

async function taken(): Promise<SessionLock> {
  for (;;) {
    try {
      return await lockSession(path, 'session', Date.now());
    } catch (error) {
      if (!isPortError(error, 'session') || error.kind !== 'held') throw error;
      await setTimeout(1);
    }
  }
}

process.stdout.write('ready ');
await new Promise((resolve) => process.stdin.once('data', resolve));
await taken();
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
