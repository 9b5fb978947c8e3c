import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { isPortError } from '../../../plugins/sdk/index.ts';
import type { FileSystem } from '../../../plugins/sdk/index.ts';

/** The rules that one folder's files give, the strongest kind first. */
type FolderRules = readonly (Ignore | null)[];

const strongest = ['.rgignore', '.ignore', '.gitignore'] as const;

/**
 * Which files searches leave out: those that `.gitignore`, `.ignore` and `.rgignore` of the folders
 * from `base` down name, and `.git/info/exclude` of `base`. A nearer folder's rule stands above a
 * farther one's of the same kind, and `.git` itself is always left out. The user's global rules do not
 * count: what is found is the same for everyone who has the project.
 */
export class IgnoreRules {
  readonly #files: FileSystem;
  readonly #base: string;
  readonly #folders = new Map<string, Promise<FolderRules>>();
  readonly #ignored = new Map<string, Promise<boolean>>();

  constructor(files: FileSystem, base: string) {
    this.#files = files;
    this.#base = base;
  }

  /** Whether this path, or a folder above it up to the base, is left out. */
  async ignores(path: string, isFolder: boolean): Promise<boolean> {
    if (path === this.#base || relative(this.#base, path).startsWith('..')) return false;
    if (await this.#folderIgnored(dirname(path))) return true;
    return isFolder ? this.#folderIgnored(path) : this.#named(path, false);
  }

  #folderIgnored(folder: string): Promise<boolean> {
    let known = this.#ignored.get(folder);
    if (!known) {
      known = this.#decideFolder(folder);
      this.#ignored.set(folder, known);
    }
    return known;
  }

  async #decideFolder(folder: string): Promise<boolean> {
    if (folder === this.#base || folder.length < this.#base.length) return false;
    if (await this.#folderIgnored(dirname(folder))) return true;
    return this.#named(folder, true);
  }

  async #named(path: string, isFolder: boolean): Promise<boolean> {
    if (path.endsWith(`${sep}.git`)) return true;
    const above: string[] = [];
    for (let folder = dirname(path); folder.length >= this.#base.length; folder = dirname(folder)) {
      above.push(folder);
      if (folder === this.#base) break;
    }
    const rules = await Promise.all(above.map((folder) => this.#rulesOf(folder)));
    for (const kind of [...strongest.keys(), strongest.length]) {
      for (const [at, folder] of above.entries()) {
        const own = rules[at]?.[kind];
        if (!own) continue;
        const name = relative(folder, path).split(sep).join('/');
        const verdict = own.test(isFolder ? `${name}/` : name);
        if (verdict.ignored) return true;
        if (verdict.unignored) return false;
      }
    }
    return false;
  }

  #rulesOf(folder: string): Promise<FolderRules> {
    let known = this.#folders.get(folder);
    if (!known) {
      const names: string[] = [...strongest];
      if (folder === this.#base) names.push(join('.git', 'info', 'exclude'));
      known = Promise.all(names.map((name) => this.#load(join(folder, name))));
      this.#folders.set(folder, known);
    }
    return known;
  }

  async #load(path: string): Promise<Ignore | null> {
    try {
      const { bytes } = await this.#files.read(path);
      const text = Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\ufeff/, '');
      return ignore({ allowRelativePaths: true }).add(text);
    } catch (error) {
      // Not there, or not to be read: then it rules nothing.
      if (isPortError(error, 'file')) return null;
      throw error;
    }
  }
}
