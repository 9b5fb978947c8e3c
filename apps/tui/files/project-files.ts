import { sep } from 'node:path';
import { programOutput } from '../program-output.ts';
import { best } from './ranking.ts';
import { walkFiles } from './walk.ts';

/** Files that are listed at most. */
const limit = 200_000;
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 20_000;
/** Milliseconds for which a list counts as new. */
const freshMs = 5000;
/** Milliseconds that the first question waits for the list, before it takes what is there. */
const patienceMs = 150;
const shown = 50;

export interface ProjectFilesOptions {
  cwd: string;
  /** ripgrep, or null. */
  ripgrep(): Promise<string | null>;
  env: Record<string, string>;
  now(): number;
  /** Ends a listing that is under way. */
  signal: AbortSignal;
}

/** Files and folders, as they were when they were listed. */
class Listing {
  readonly paths: string[] = [];
  readonly lower: string[] = [];
  private readonly folders = new Set<string>();

  add(path: string): void {
    if (this.paths.length >= limit) return;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at + 1);
      if (this.folders.has(folder)) continue;
      this.folders.add(folder);
      this.put(folder);
    }
    this.put(path);
  }

  private put(path: string): void {
    this.paths.push(path);
    this.lower.push(path.toLowerCase());
  }
}

/**
 * The files of the working folder for `@`, without what git ignores. They are listed beside everything else:
 * a question is answered with what is known by then.
 */
export class ProjectFiles {
  private listing = new Listing();
  private under: Promise<void> | null = null;
  private listedAt = -Infinity;

  constructor(private readonly options: ProjectFilesOptions) {}

  /** Best first; folders end with a slash. */
  async matching(query: string): Promise<string[]> {
    if (this.options.now() - this.listedAt > freshMs) this.under ??= this.list();
    // An older list is better than none: the new one is there with the next key.
    if (this.listing.paths.length === 0 && this.under !== null) await shortly(this.under);
    return best(this.listing, query, shown);
  }

  private async list(): Promise<void> {
    const { cwd, env, signal } = this.options;
    const isFirst = this.listing.paths.length === 0;
    const listing = isFirst ? this.listing : new Listing();
    try {
      const program = await this.options.ripgrep();
      if (program === null) {
        await walkFiles(cwd, limit, signal, (paths) => paths.forEach((path) => listing.add(path)));
      } else {
        let rest = '';
        const take = (text: string): void => {
          const names = (rest + text).split('\0');
          rest = names.pop() ?? '';
          for (const name of names) listing.add(sep === '/' ? name : name.replaceAll(sep, '/'));
        };
        const decoder = new TextDecoder();
        const command = [
          program,
          '--files',
          '--null',
          '--hidden',
          '--glob',
          '!.git',
          '--no-config',
          '--no-messages',
        ] as const;
        const onOutput = (bytes: Buffer): void => take(decoder.decode(bytes, { stream: true }));
        await programOutput({ command, cwd, env, timeoutMs, maxBytes, onOutput }, signal);
      }
    } finally {
      this.listing = listing;
      this.listedAt = this.options.now();
      this.under = null;
    }
  }
}

async function shortly(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
