import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Position } from './position.ts';

/** The content of a settings file, and where in it each key stands. */
export interface SettingsDocument {
  value: unknown;
  /** Null if it cannot be told. */
  positionOf(path: readonly PropertyKey[]): Position | null;
}

/** What is wrong with a file that cannot be read as a whole. `text` shows nothing of its content. */
export interface SyntaxProblem {
  position: Position | null;
  text: string;
}

export type ParsedDocument = { ok: true; document: SettingsDocument } | { ok: false; problem: SyntaxProblem };

/** A byte order mark is no content. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Tells where an offset is. The lines are looked for once: a file of many rules asks for each of them. */
function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (end) => end.index + end[0].length)];
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** A key that stands twice: which one counts would be a guess. */
class DoubleKey extends Error {
  constructor(readonly offset: number) {
    super('this key stands here twice');
  }
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  const result = {};
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (Object.hasOwn(result, name)) throw new DoubleKey(key.offset);
    // Not by assignment: `__proto__` is a key like any other.
    Object.defineProperty(result, name, {
      value: valueOf(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

function findNode(root: Node | undefined, path: readonly PropertyKey[]): Node | undefined {
  let node = root;
  for (const part of path) {
    if (node?.type === 'array') node = node.children?.[Number(part)];
    else node = node?.children?.find(({ children }) => children?.[0]?.value === part)?.children?.[1];
  }
  return node;
}

const words = (code: string): string => code.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase();

/** Reads JSON with comments and trailing commas; an empty file is an empty object. Never throws. */
export function parseJsonDocument(raw: string): ParsedDocument {
  const text = withoutMark(raw);
  const positionAt = positionsIn(text);
  const broken = (offset: number | null, what: string): ParsedDocument => ({
    ok: false,
    problem: { position: offset === null ? null : positionAt(offset), text: what },
  });
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [first] = errors;
    if (first !== undefined) return broken(first.offset, words(printParseErrorCode(first.error)));
    const document = {
      value: root === undefined ? {} : valueOf(root),
      positionOf(path: readonly PropertyKey[]) {
        const node = findNode(root, path);
        return node === undefined ? null : positionAt(node.offset);
      },
    };
    return { ok: true, document };
  } catch (error) {
    if (error instanceof DoubleKey) return broken(error.offset, error.message);
    if (error instanceof RangeError) return broken(null, 'it is nested too deeply');
    throw error;
  }
}
