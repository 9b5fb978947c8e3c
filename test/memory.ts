import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MB of this process, once what nobody holds any more is gone. */
export function megabytes(): number {
  collect();
  collect();
  return process.memoryUsage().rss / 2 ** 20;
}
