/** A file that the tree does not hold, or a folder, named with a slash at its end, that it does not look into. */
export interface Uncovered {
  /** From the project, with `/`. */
  path: string;
  /** As the end of "… is not covered: ". */
  why: string;
  /** Differs if it was changed; null: that cannot be seen. */
  stamp: string | null;
  /** Bytes of a file. */
  size?: number;
}

/** What is kept of a work tree beside its git tree. */
export interface TreeRecord {
  /** The git tree's name. */
  tree: string;
  uncovered: Uncovered[];
  /** What was ignored; folders end with a slash. Null: too much to list. */
  ignored: string[] | null;
  /** Folders without files, each with a slash at its end; those in them are not named. */
  empty: string[];
  /** Permission bits by path, where they are not 0o644 or 0o755; null: too many files to ask each. */
  modes: Record<string, number> | null;
}

interface Fields {
  [name: string]: unknown;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isUncovered(value: unknown): value is Uncovered {
  if (!isFields(value)) return false;
  const { path, why, stamp } = value;
  return typeof path === 'string' && typeof why === 'string' && (stamp === null || typeof stamp === 'string');
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Reads a record; null if the text is not one. */
export function parseTreeRecord(text: string): TreeRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // the caller says which it is
  }
  if (!isFields(value)) return null;
  const { tree, uncovered, ignored, empty, modes } = value;
  if (typeof tree !== 'string' || !/^[0-9a-f]{40}$/.test(tree)) return null;
  if (!Array.isArray(uncovered) || !uncovered.every(isUncovered)) return null;
  if (ignored !== null && !isTexts(ignored)) return null;
  if (!isTexts(empty)) return null;
  if (modes === null) return { tree, uncovered, ignored, empty, modes };
  if (!isFields(modes)) return null;
  const known = Object.entries(modes).filter((one): one is [string, number] => typeof one[1] === 'number');
  return { tree, uncovered, ignored, empty, modes: Object.fromEntries(known) };
}

/** Whether the path is in the list, or in a folder that is. */
export function isListed(path: string, list: ReadonlySet<string>): boolean {
  if (list.has(path)) return true;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    if (list.has(path.slice(0, at + 1))) return true;
  }
  return false;
}

/** A file that differs between two trees. Modes as git has them; 0: not there. */
export interface RawChange {
  path: Buffer;
  mode: number;
  object: string;
  newMode: number;
}

/** Reads `git diff-tree -r -z --raw`: alternately what changed and the path. */
export function parseRawDiff(parts: readonly Buffer[]): RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [mode = '', newMode = '', object = ''] = (parts[at]?.toString('latin1') ?? '').slice(1).split(' ');
    const path = parts[at + 1] ?? Buffer.alloc(0);
    changes.push({ path, mode: parseInt(mode, 8), newMode: parseInt(newMode, 8), object });
  }
  return changes;
}
