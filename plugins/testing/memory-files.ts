import { byCodePoint } from '../../domain/text/near-names.ts';
import { PortError } from '../../ports/errors.ts';
import type { ErrorKinds } from '../../ports/errors.ts';
import type {
  FileContent,
  FileKind,
  FileStat,
  FileSystem,
  FolderEntry,
  ResolvedPath,
  WriteOptions,
} from '../../ports/filesystem.ts';

interface Node {
  kind: FileKind;
  bytes: Uint8Array;
  mode: number;
  mtimeMs: number;
  target: string;
}

export interface MemoryFilesOptions {
  /** Hash of a file's bytes; the built-in one is quick and not cryptographic. */
  hash?: (bytes: Uint8Array) => string;
  /** Time of changes, in milliseconds; counts up by itself when not given. */
  now?: () => number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const maxLinks = 40;

/** FNV-1a with eight seeds: 64 hex digits, so that it looks like the real thing. */
function quickHash(bytes: Uint8Array): string {
  let text = '';
  for (let seed = 0; seed < 8; seed += 1) {
    let hash = (0x811c9dc5 ^ (seed * 0x9e3779b1)) >>> 0;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    text += hash.toString(16).padStart(8, '0');
  }
  return text;
}

/** `path` against `base`, without `.`, `..` and empty parts. */
function normalise(path: string, base: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';
function fail(kind: ErrorKinds['file'], path: string, text: string): never {
  throw new PortError('file', kind, `${text}: ${path}`, { path });
}

/**
 * A whole file system in memory, with folders, symbolic links, modes and hashes; paths are POSIX.
 * It keeps to the same contract as the real one.
 */
export class MemoryFiles implements FileSystem {
  readonly #nodes = new Map<string, Node>();
  readonly #hash: (bytes: Uint8Array) => string;
  readonly #now: () => number;
  /** Paths for which `readable` says no. */
  readonly denied = new Set<string>();

  constructor(files: Record<string, string | Uint8Array> = {}, options: MemoryFilesOptions = {}) {
    let tick = 1_700_000_000_000;
    this.#hash = options.hash ?? quickHash;
    this.#now = options.now ?? (() => (tick += 1000));
    this.#nodes.set('/', this.#node('folder', new Uint8Array(), 0o755));
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** Sets a file up, with the folders above it. */
  put(path: string, content: string | Uint8Array, mode = 0o644): this {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    this.folder(parentOf(path));
    this.#nodes.set(normalise(path, '/'), this.#node('file', bytes, mode));
    return this;
  }

  /** Sets a folder up, with those above it. */
  folder(path: string): this {
    const full = normalise(path, '/');
    if (this.#nodes.has(full)) return this;
    this.folder(parentOf(full));
    this.#nodes.set(full, this.#node('folder', new Uint8Array(), 0o755));
    return this;
  }

  /** Sets a symbolic link up; `target` as written. */
  link(path: string, target: string): this {
    this.folder(parentOf(path));
    this.#nodes.set(normalise(path, '/'), { ...this.#node('link', new Uint8Array(), 0o777), target });
    return this;
  }

  /** Sets up something that is neither file, folder nor link, such as a pipe. */
  special(path: string): this {
    this.folder(parentOf(path));
    this.#nodes.set(normalise(path, '/'), this.#node('other', new Uint8Array(), 0o644));
    return this;
  }

  /** Gives a file a new time and leaves its bytes. */
  touch(path: string): void {
    const node = this.#nodes.get(normalise(path, '/'));
    if (node) node.mtimeMs = this.#now();
  }

  /** A file's text, or undefined; links are followed. */
  text(path: string): string | undefined {
    const bytes = this.bytes(path);
    return bytes && decoder.decode(bytes);
  }

  bytes(path: string): Uint8Array | undefined {
    const node = this.#nodes.get(this.#walk(normalise(path, '/')).target ?? '');
    return node?.kind === 'file' ? node.bytes : undefined;
  }

  /** All files as text, by path: for comparing a whole state. */
  snapshot(): Record<string, string> {
    const files = [...this.#nodes].filter(([, node]) => node.kind === 'file');
    return Object.fromEntries(
      files.sort(([a], [b]) => byCodePoint(a, b)).map(([path, node]) => [path, decoder.decode(node.bytes)]),
    );
  }

  async resolve(path: string, cwd: string): Promise<ResolvedPath> {
    const full = normalise(path, cwd);
    const { links, target } = this.#walk(full);
    const node = this.#nodes.get(this.#entry(full) ?? '');
    return { path: full, links, target, stat: node ? this.#stat(node) : null };
  }

  async stat(path: string): Promise<FileStat | null> {
    const node = this.#nodes.get(this.#walk(path).target ?? '');
    return node ? this.#stat(node) : null;
  }

  async read(path: string, range?: { offset: number; length: number }): Promise<FileContent> {
    const { target } = this.#walk(path);
    const node = this.#nodes.get(target ?? '');
    if (!node || target === null) return fail('not_found', path, 'no such file');
    if (node.kind !== 'file') return fail('not_a_file', path, `not a file but a ${node.kind}`);
    const stat = this.#stat(node);
    if (!range) return { bytes: node.bytes.slice(), hash: this.#hash(node.bytes), stat, target };
    const bytes = node.bytes.slice(range.offset, range.offset + range.length);
    return { bytes, hash: null, stat, target };
  }

  async list(path: string): Promise<FolderEntry[]> {
    const target = this.#walk(path).target;
    const node = this.#nodes.get(target ?? '');
    if (!node || target === null) return fail('not_found', path, 'no such folder');
    if (node.kind !== 'folder') return fail('not_a_folder', path, 'not a folder');
    return [...this.#nodes]
      .filter(([name]) => name !== '/' && parentOf(name) === target)
      .map(([name, { kind }]) => ({ name: name.slice(name.lastIndexOf('/') + 1), kind }))
      .sort((a, b) => byCodePoint(a.name, b.name));
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<string> {
    this.#refuseLinks(path);
    for (let above = parentOf(path); above !== '/'; above = parentOf(above)) {
      const node = this.#nodes.get(this.#walk(above).target ?? '');
      if (node && node.kind !== 'folder') return fail('not_a_folder', above, 'not a folder');
      if (node) break;
    }
    const full = this.#entry(path) ?? path;
    const old = this.#nodes.get(full);
    if (old && old.kind !== 'file') return fail('not_a_file', path, `not a file but a ${old.kind}`);
    if (options.expect !== undefined && (old ? this.#hash(old.bytes) : null) !== options.expect) {
      return fail('changed', path, 'not what was expected');
    }
    this.folder(parentOf(full));
    this.#nodes.set(full, this.#node('file', bytes.slice(), options.mode ?? old?.mode ?? 0o644));
    return this.#hash(bytes);
  }

  async remove(path: string): Promise<void> {
    this.#refuseLinks(path);
    const full = this.#entry(path) ?? path;
    const node = this.#nodes.get(full);
    if (!node) return fail('not_found', path, 'no such file');
    if (node.kind === 'folder') return fail('not_a_file', path, 'not a file but a folder');
    this.#nodes.delete(full);
  }

  async readable(paths: readonly string[]): Promise<boolean[]> {
    return paths.map((path) => !this.denied.has(path));
  }

  #refuseLinks(path: string): void {
    const [link] = this.#walk(parentOf(path)).links;
    if (link !== undefined) fail('refused', path, `leads through the symbolic link ${link}`);
  }

  /** Where the entry itself lies: links above it are followed, one at its end is not. */
  #entry(path: string): string | null {
    const parent = this.#walk(parentOf(path)).target;
    if (path === '/' || parent === null) return path === '/' ? path : null;
    return normalise(path.slice(path.lastIndexOf('/') + 1), parent);
  }

  #node(kind: FileKind, bytes: Uint8Array, mode: number): Node {
    return { kind, bytes, mode, mtimeMs: this.#now(), target: '' };
  }

  #stat(node: Node): FileStat {
    return { kind: node.kind, size: node.bytes.length, mode: node.mode, mtimeMs: node.mtimeMs, links: 1 };
  }

  /** Follows links from the root down; `target` null when something is missing or it never ends. */
  #walk(path: string): { links: string[]; target: string | null } {
    const links: string[] = [];
    let rest = path.split('/').filter((part) => part !== '');
    let at = '/';
    while (rest.length > 0) {
      const [part = '', ...further] = rest;
      rest = further;
      if (part === '.') continue;
      const next = part === '..' ? parentOf(at) : normalise(part, at);
      const node = this.#nodes.get(next);
      if (!node) return { links, target: null };
      if (node.kind !== 'link') {
        if (rest.length > 0 && node.kind !== 'folder') return { links, target: null };
        at = next;
        continue;
      }
      links.push(next);
      if (links.length > maxLinks) return { links, target: null };
      if (node.target.startsWith('/')) at = '/';
      rest = [...node.target.split('/').filter((one) => one !== ''), ...rest];
    }
    return { links, target: at };
  }
}

/** Files in memory, set up from path to content. */
export function memoryFiles(
  files: Record<string, string | Uint8Array> = {},
  options: MemoryFilesOptions = {},
): MemoryFiles {
  return new MemoryFiles(files, options);
}
