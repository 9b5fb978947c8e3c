import type { PrefixChange, PromptPart } from '../../../ports/tracer.ts';
import type { BodyPart } from './body-parts.ts';

/** How far a request extends the one before it. Bytes of the pieces that count. */
export interface PrefixComparison {
  /** The first byte that differs stands here. */
  shared: number;
  /** Of the request before; all of them are shared where nothing has changed. */
  before: number;
  sent: number;
  /** Null: it extends the request before. */
  change: PrefixChange | null;
}

/** Characters shown on each side of the place where two requests part. */
const shown = 60;

const bytes = (text: string): number => Buffer.byteLength(text);

export function sizeOf(parts: readonly BodyPart[]): number {
  return parts.reduce((sum, part) => sum + bytes(part.text), 0);
}

function keyOf(name: PromptPart): string {
  switch (name.part) {
    case 'model':
    case 'system':
      return name.part;
    case 'tool':
    case 'parameters':
      return `${name.part} ${name.name}`;
    case 'message':
      return `message ${name.message} ${name.block}`;
    default:
      return name satisfies never;
  }
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/** Which piece is to blame, and what became of it. */
function blame(
  was: BodyPart,
  is: BodyPart | undefined,
  before: readonly BodyPart[],
  now: readonly BodyPart[],
): { name: PromptPart; how: PrefixChange['how'] } {
  if (is === undefined) return { name: was.name, how: 'removed' };
  if (keyOf(was.name) === keyOf(is.name)) return { name: was.name, how: 'changed' };
  const has = (parts: readonly BodyPart[], name: PromptPart) =>
    parts.some((part) => keyOf(part.name) === keyOf(name));
  if (!has(before, is.name)) return { name: is.name, how: 'added' };
  if (!has(now, was.name)) return { name: was.name, how: 'removed' };
  return { name: is.name, how: 'moved' };
}

/** Compares a request with the one before it, piece by piece, up to the first that differs. */
export function comparePrefix(before: readonly BodyPart[], now: readonly BodyPart[]): PrefixComparison {
  const sizes = { before: sizeOf(before), sent: sizeOf(now) };
  let shared = 0;
  for (const [at, was] of before.entries()) {
    const is = now[at];
    if (is !== undefined && is.text === was.text && keyOf(is.name) === keyOf(was.name)) {
      shared += bytes(was.text);
      continue;
    }
    const { name, how } = blame(was, is, before, now);
    const split = sharedLength(was.text, is?.text ?? '');
    shared += bytes(was.text.slice(0, split));
    const around = (text: string) => text.slice(Math.max(0, split - shown / 2), split + shown);
    const change = { ...name, how, was: around(was.text), is: around(is?.text ?? '') };
    return { ...sizes, shared, change };
  }
  return { ...sizes, shared, change: null };
}
