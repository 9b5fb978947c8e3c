import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, readlink, realpath, rename, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileSnapshot } from '../../ports/checkpoint.ts';
import { errorText, isPortError, PortError, type ErrorKinds } from '../../ports/errors.ts';
import type { TreeChange, TreeComparison, WorkTrees } from '../../ports/work-trees.ts';
import { git, zeroSeparated } from './git.ts';
import { keptBytes } from './kept-bytes.ts';
import { ownRepository, type OwnRepository } from './own-repository.ts';
import { nameOf, survey } from './survey.ts';
import {
  isListed,
  parseRawDiff,
  parseTreeRecord,
  type RawChange,
  type TreeRecord,
  type Uncovered,
} from './tree-record.ts';
import { uncoveredNotes } from './uncovered-notes.ts';

export interface GitWorkTreesOptions {
  /** Larik's own, for this session; made when first needed. */
  folder: string;
  /** A folder with `.git` in it, without symbolic links on its way. */
  project: string;
  /** Larik's own folders: never looked into, wherever they lie. */
  own: readonly string[];
  /** Milliseconds that a command waits for the tree to be kept; default 2,000. */
  keepMs?: number;
  /** Milliseconds for the comparison at a turn's end; default 10,000. */
  compareMs?: number;
}

const link = 0o120000;

/** Bytes of the largest file that an undo puts a small one in the place of: what it takes away is kept for a redo. */
const largestReplaced = 64 * 1024 * 1024;

/** The first of these that a file's bits can be, when git keeps only whether it can be run. */
const bitsOf = (mode: number): number => (mode & 0o111 ? 0o755 : 0o644);

/**
 * Work trees by way of git, with a repository of larik's own over the project: its own index, objects
 * and configuration, so that nothing of the user's is run, read as settings, or moved (spec: sessions,
 * "Checkpoints").
 */
class GitWorkTrees implements WorkTrees {
  private readonly stopping = new AbortController();
  private last: Promise<unknown> = Promise.resolve();
  private own: Promise<OwnRepository> | undefined;

  constructor(private readonly options: GitWorkTreesOptions) {}

  keep(name: string): Promise<void> {
    const limit = this.options.keepMs ?? 2000;
    return this.inTime('capture', limit, async (isLate) => {
      const record = await this.surveyNow();
      // By now the command may have begun: only git's memory of what it has read is of use.
      if (!isLate()) await this.write(name, record);
    });
  }

  compare(name: string): Promise<TreeComparison> {
    return this.inTime('restore', this.options.compareMs ?? 10_000, async () => {
      const before = parseTreeRecord(await readFile(this.recordPath(name), 'utf8'));
      if (before === null) throw new Error(`${this.recordPath(name)} is damaged`);
      return this.changes(before, await this.surveyNow());
    });
  }

  async dispose(): Promise<void> {
    this.stopping.abort();
    await this.last;
  }

  /**
   * One thing at a time, since there is one index. What takes longer goes on by itself, so that it is
   * quicker the next time, but is not waited for.
   */
  private inTime<T>(
    kind: ErrorKinds['checkpoint'],
    limitMs: number,
    work: (isLate: () => boolean) => Promise<T>,
  ): Promise<T> {
    let late = false;
    const path = this.options.project;
    const result = this.last.then(() => work(() => late));
    this.last = result.catch(() => undefined); // its caller hears of it
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        late = true;
        const text = `it took longer than ${limitMs / 1000} s`;
        reject(new PortError('checkpoint', kind, text, { path }));
      }, limitMs);
      result
        .then(resolve, (error: unknown) =>
          reject(
            isPortError(error, 'checkpoint')
              ? error
              : new PortError('checkpoint', kind, errorText(error), { path }),
          ),
        )
        .finally(() => clearTimeout(timer));
    });
  }

  private async repository(): Promise<OwnRepository> {
    this.own ??= ownRepository(this.options, this.stopping.signal);
    try {
      return await this.own;
    } catch (error) {
      this.own = undefined;
      throw error;
    }
  }

  private async surveyNow(): Promise<TreeRecord> {
    return survey(await this.repository(), this.stopping.signal);
  }

  private recordPath(name: string): string {
    return join(this.options.folder, 'trees', `${name}.json`);
  }

  private async write(name: string, record: TreeRecord): Promise<void> {
    const path = this.recordPath(name);
    await mkdir(join(this.options.folder, 'trees'), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  private async changes(before: TreeRecord, now: TreeRecord): Promise<TreeComparison> {
    const { place } = await this.repository();
    const { signal } = this.stopping;
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--no-ext-diff'];
    const diff = await git(place, [...args, before.tree, now.tree], signal);
    const raw = parseRawDiff(zeroSeparated(diff));
    raw.push(...(await this.modeChanges(before, now, raw)));
    const { covered, notes } = sortChanges(raw, before, now);
    const bytesOf = keptBytes(
      place,
      covered.filter(({ mode }) => mode !== 0).map(({ object }) => object),
    );
    const hadFolder = covered.some(({ mode }) => mode === 0) ? await this.folders(before) : new Set<string>();
    const changes: TreeChange[] = [];
    for (const { name, mode, object } of covered) {
      const path = join(this.options.project, name);
      if (mode === 0) changes.push({ path, before: null, made: madeAbove(name, hadFolder, before) });
      else {
        const load = async (): Promise<FileSnapshot> => {
          const bytes = await bytesOf(object);
          const hash = createHash('sha256').update(bytes).digest('hex');
          return { bytes, hash, mode: await this.bits(before, name, mode) };
        };
        changes.push({ path, before: () => this.told(path, load()), made: 0 });
      }
    }
    return { changes, notes };
  }

  private async folders(before: TreeRecord): Promise<Set<string>> {
    const { place } = await this.repository();
    const args = ['ls-tree', '-r', '-d', '-z', '--name-only', '--full-tree', before.tree];
    return new Set(zeroSeparated(await git(place, args, this.stopping.signal)).map(String));
  }

  async removeEmpty(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      try {
        await removeFolder(folder);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(code)) {
          const text = `the empty folder ${folder} could not be removed: ${errorText(error)}`;
          throw new PortError('checkpoint', 'restore', text, { path: folder });
        }
      }
    }
  }

  private told<T>(path: string, loaded: Promise<T>): Promise<T> {
    return loaded.catch((error: unknown) => {
      throw new PortError('checkpoint', 'restore', `${path} was not kept: ${errorText(error)}`, { path });
    });
  }

  /** Files with the same content and other permission bits, as far as git does not see them. */
  private async modeChanges(
    before: TreeRecord,
    now: TreeRecord,
    known: readonly RawChange[],
  ): Promise<RawChange[]> {
    if (before.modes === null || now.modes === null) return [];
    const was = new Map(Object.entries(before.modes));
    const is = new Map(Object.entries(now.modes));
    const names = new Set([...was.keys(), ...is.keys()].filter((name) => was.get(name) !== is.get(name)));
    for (const { path } of known) names.delete(path.toString('utf8'));
    if (names.size === 0) return [];
    const { place } = await this.repository();
    const entries = zeroSeparated(
      await git(place, ['ls-tree', '-r', '-z', '--full-tree', before.tree], this.stopping.signal),
    );
    return entries.flatMap((entry): RawChange[] => {
      const tab = entry.indexOf('\t');
      const path = entry.subarray(tab + 1);
      const [mode = '', , object = ''] = entry.toString('latin1', 0, tab).split(' ');
      const bits = parseInt(mode, 8);
      return names.has(path.toString('utf8')) ? [{ path, mode: bits, newMode: bits, object }] : [];
    });
  }

  /** The permission bits that a file had; where they were not asked for, those that it has if they may be the same. */
  private async bits(before: TreeRecord, name: string, mode: number): Promise<number> {
    if (before.modes !== null) {
      return Object.hasOwn(before.modes, name) ? (before.modes[name] ?? bitsOf(mode)) : bitsOf(mode);
    }
    const stats = await lstat(join(this.options.project, name)).catch(() => null);
    const now = stats?.isFile() === true ? stats.mode & 0o7777 : bitsOf(mode);
    return bitsOf(now & 0o100) === bitsOf(mode) ? now : bitsOf(mode);
  }
}

/**
 * Removes an empty folder; through links nothing is touched, nor through one that is put on the way
 * meanwhile: on Linux the folder above is held open, and must be the one that the path names.
 */
async function removeFolder(folder: string): Promise<void> {
  const above = dirname(folder);
  if (process.platform !== 'linux') {
    if ((await realpath(above)) === above) await rmdir(folder);
    return;
  }
  const held = await open(above, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const path = `/proc/self/fd/${held.fd}`;
    if ((await readlink(path)) === above) await rmdir(join(path, basename(folder)));
  } finally {
    await held.close();
  }
}

interface Covered {
  /** From the project. */
  name: string;
  /** 0: it was not there. */
  mode: number;
  object: string;
}

/** How many folders above a file were not there, as far as it can be told. */
function madeAbove(name: string, had: ReadonlySet<string>, before: TreeRecord): number {
  const known = new Set([...before.empty, ...(before.ignored ?? [])]);
  let made = 0;
  for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
    const folder = name.slice(0, at);
    if (had.has(folder) || isListed(`${folder}/`, known)) break;
    made += 1;
  }
  return made;
}

/** Tells the changes that can be undone from those that can only be told. Restored ones come first. */
function sortChanges(raw: readonly RawChange[], before: TreeRecord, after: TreeRecord) {
  const unkept = new Set(before.uncovered.map(({ path }) => path));
  // What was small enough to be kept comes back, also if a command made it too large for that.
  const isReplaced = ({ path, size = Infinity }: Uncovered): boolean =>
    size <= largestReplaced && !isListed(path, unkept);
  const kept = new Set(raw.filter(({ mode }) => mode !== 0).map(({ path }) => path.toString('utf8')));
  const uncovered = after.uncovered.filter((one) => !(kept.has(one.path) && isReplaced(one)));
  const now = { ...after, uncovered };
  const blind = new Set([...unkept, ...uncovered.map(({ path }) => path)]);
  const wasIgnored = before.ignored === null ? null : new Set(before.ignored);
  const restored: Covered[] = [];
  const created: Covered[] = [];
  const links: string[] = [];
  let unknown = 0;
  for (const { path, mode, newMode, object } of raw) {
    const name = nameOf(path);
    const shown = path.toString('utf8');
    if (isListed(shown, blind)) continue; // told with the reason
    if (name === null || mode === link || newMode === link) links.push(shown);
    else if (mode !== 0) restored.push({ name, mode, object });
    else if (wasIgnored === null || isListed(name, wasIgnored)) unknown += 1;
    else created.push({ name, mode, object });
  }
  return { covered: [...restored, ...created], notes: uncoveredNotes(before, now, links, unknown) };
}

/** Work trees of a project in a git repository. */
export function gitWorkTrees(options: GitWorkTreesOptions): WorkTrees {
  return new GitWorkTrees(options);
}
