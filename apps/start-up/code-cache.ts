import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** A file of the program that runs; `kept` if what was compiled of it came from the cache. */
interface Loaded {
  exports: object;
  source: Buffer;
  script: Script;
  kept: boolean;
}

const digestBytes = 32;
/** Milliseconds after which nobody writes on one file any more. */
const longestWrite = 10 * 60 * 1000;
const [before, after] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** Of the source, of what V8 made of it, and of what that depends on. */
function digest(source: Uint8Array, compiled: Uint8Array): Buffer {
  const on = `${process.version} ${process.arch} ${source.length}\n`;
  return createHash('sha256').update(on).update(source).update(compiled).digest();
}

/** A file that others may write, or that is another's, could make this program another one. */
function isOwn(path: string): boolean {
  const { uid, mode } = statSync(path);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Level by level: Node's own recursive way never ends where every new name is "not found", as in /proc. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Loads the bundled program and keeps what V8 compiled of it for the next start, of which compiling
 * is else the larger part (spec: quality, "Speed"). Newer versions of Node have the like built in, 20
 * has not. V8 itself looks at little and ends the process over a damaged file, so a file counts only
 * if its digest fits this very source, Node and machine. All others are as if they were not there.
 */
export class CodeCache {
  readonly #loaded = new Map<string, Loaded>();
  readonly #folder: string;

  /** `program` is the folder of the bundle's CommonJS files, `cache` larik's folder for what can be made again. */
  constructor(program: string, cache: string) {
    // Each installation and Node has a folder of its own: they would else overwrite each other's files.
    const key = createHash('sha256').update(`${process.version} ${process.arch} ${program}`).digest('hex');
    this.#folder = join(cache, `code-${key.slice(0, 8)}`);
  }

  /** Runs a file of the program, once, and what of the program it requires; returns its exports. */
  load(file: string): object {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known.exports;
    const source = readFileSync(file);
    const cachedData = this.#read(file, source);
    // The build writes nothing but ASCII, which this reads fastest.
    const script = new Script(before + source.toString('latin1') + after, {
      filename: file,
      columnOffset: -before.length,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    const module: { exports: object } = { exports: {} };
    const kept = cachedData !== undefined && script.cachedDataRejected !== true;
    this.#loaded.set(file, { exports: module.exports, source, script, kept });
    const others = createRequire(file);
    const require = (name: string): unknown =>
      name.startsWith('./') ? this.load(join(dirname(file), name)) : others(name);
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run(module.exports, require, module, file, dirname(file));
    return module.exports;
  }

  /** Keeps what has been compiled until now of the files that did not come from the cache. */
  save(): void {
    try {
      for (const [file, { source, script, kept }] of this.#loaded) {
        if (!kept) this.#write(file, source, script.createCachedData());
      }
    } catch {
      // Where nothing can be written the next start is slower, and that is all.
    }
  }

  #path(file: string): string {
    return join(this.#folder, `${basename(file)}.bin`);
  }

  #read(file: string, source: Buffer): Buffer | undefined {
    let bytes: Buffer;
    try {
      const path = this.#path(file);
      if (!isOwn(path)) return undefined;
      bytes = readFileSync(path);
    } catch {
      return undefined;
    }
    const compiled = bytes.subarray(digestBytes);
    return bytes.subarray(0, digestBytes).equals(digest(source, compiled)) ? compiled : undefined;
  }

  #write(file: string, source: Buffer, compiled: Buffer): void {
    const path = this.#path(file);
    const beside = `${path}.${process.pid}`;
    makeFolder(this.#folder);
    this.#removeLeft(`${basename(path)}.`);
    try {
      writeFileSync(beside, Buffer.concat([digest(source, compiled), compiled]), { mode: 0o600 });
      renameSync(beside, path);
    } catch (error) {
      rmSync(beside, { force: true }); // A part, as of a full disk.
      throw error;
    }
  }

  /** Removes what a process was writing when it was killed. */
  #removeLeft(prefix: string): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if (name.startsWith(prefix) && Date.now() - statSync(path).mtimeMs > longestWrite) rmSync(path);
    }
  }
}
