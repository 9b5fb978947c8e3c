import { createHash } from 'node:crypto';
import { git, GitError, type GitPlace } from './git.ts';

/** Objects that are read at once: at 2 MB each they stay within 64 MB. */
const batchSize = 32;

/** Reads what `git cat-file --batch` printed. Missing ones are left out. */
function parseBatch(printed: Buffer): Map<string, Buffer> {
  const objects = new Map<string, Buffer>();
  for (let at = 0; at < printed.length;) {
    const end = printed.indexOf('\n', at);
    if (end === -1) break;
    const [name = '', kind, size] = printed.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    const bytes = printed.subarray(at, at + Number(size));
    at += bytes.length + 1;
    objects.set(name, bytes);
  }
  return objects;
}

/** Whether git would give these bytes this name: what lies in a repository may have been made up. */
function isNamed(bytes: Buffer, name: string): boolean {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === name;
}

/** A reader of the objects `names`, in batches: cheapest if they are asked for in their order. */
export function keptBytes(place: GitPlace, names: readonly string[]): (name: string) => Promise<Buffer> {
  let batch = new Map<string, Buffer>();
  return async (name) => {
    if (!batch.has(name)) {
      const at = Math.max(0, names.indexOf(name));
      const input = Buffer.from(`${names.slice(at, at + batchSize).join('\n')}\n`);
      batch = parseBatch(await git(place, ['cat-file', '--batch'], AbortSignal.timeout(60_000), input));
    }
    const bytes = batch.get(name);
    if (bytes === undefined) throw new GitError('it is no longer in the repository');
    if (!isNamed(bytes, name)) throw new GitError('what the repository has under its name is something else');
    return bytes;
  };
}
