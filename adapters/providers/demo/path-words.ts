import type { QuotedText } from './quoted-text.ts';

/** A path as written in prose: without the mention sign, quotes and a trailing full stop. */
export function pathOf(part: string, quoted: QuotedText): string {
  const bare = quoted
    .reveal(
      part
        .trim()
        .replace(/^(?:the|my|this|our)\s+/i, '')
        .replace(/^(?:file|folder|directory)\s+/i, ''),
    )
    .replace(/^@/, '')
    .trim();
  return bare.replace(/[.,;:!?]+$/, (end) => (bare === '.' || bare === '..' ? end : ''));
}

/** Null where all of the project is meant, or nothing is named. */
export function optionalPath(part: string | undefined, quoted: QuotedText): string | null {
  if (part === undefined) return null;
  if (
    /^(?:the|this|my|our|a)?\s*(?:whole\s+|entire\s+|current\s+)?(?:project|folder|directory|repo(?:sitory)?|code ?base|code|tree|files?|here)$/i.test(
      part.trim(),
    )
  ) {
    return null;
  }
  const path = pathOf(part.replace(/\s+(?:folder|directory|file)$/i, ''), quoted);
  return path === '' ? null : path;
}

/** A path with the first and the last line that are meant, if only some are. */
export interface PathRange {
  path: string;
  from?: number;
  to?: number;
}

/** Takes `src/a.ts:10-40` apart. */
export function rangeOf(path: string): PathRange {
  const match = /^(.+?):(\d+)(?:-(\d+))?$/.exec(path);
  if (match === null) return { path };
  const [, name = '', first = '1', last = first] = match;
  const [one, other] = [Math.max(1, Number(first)), Math.max(1, Number(last))];
  return { path: name, from: Math.min(one, other), to: Math.max(one, other) };
}

/** The path of the only `@` mention in a sentence; null if there is none, or are several. */
export function onlyMention(part: string, quoted: QuotedText): string | null {
  const mentions = part.match(/(?<=^|\s)@\S+/g) ?? [];
  const [only] = mentions;
  return only === undefined || mentions.length > 1 ? null : pathOf(only, quoted);
}
