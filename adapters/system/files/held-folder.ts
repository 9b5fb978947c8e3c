/**
 * A folder in which files are changed, whatever others do meanwhile to it or to what leads to it (spec:
 * tools, "Paths"). What takes hold of one follows no symbolic link at any part of its path, throws
 * `refused` for one, and makes what is missing if asked to.
 */
export interface HeldFolder {
  /** One of its entries, as `node:fs` takes a path. */
  entry(name: string): string | Buffer;
  /** Throws `changed` if the folder is no longer the one that its path names. */
  confirm(): Promise<void>;
  release(): void;
}
