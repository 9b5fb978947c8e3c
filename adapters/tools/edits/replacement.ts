import { lineEnd, utf8Bytes, withLineEnds } from './text-style.ts';

/** A change as the model asks for it. */
export interface Change {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export type Replaced =
  | { kind: 'replaced'; body: string; lines: number[] }
  | { kind: 'none' }
  /** Lines of all matches, where one was asked for. */
  | { kind: 'several'; lines: number[] };

/**
 * Replaces text literally in a body of one character a byte. Whether lines end in LF or CRLF does not
 * matter for finding it, and what is put in takes the line end of what it replaces, or else the body's.
 * `lines` are those of the new body at which something was put in.
 */
export function replace(body: string, change: Change): Replaced {
  const found = occurrences(body, utf8Bytes(change.old_string));
  if (found.length === 0) return { kind: 'none' };
  if (found.length > 1 && change.replace_all !== true) {
    return {
      kind: 'several',
      lines: linesAt(
        body,
        found.map(({ start }) => start),
      ),
    };
  }
  const fresh = utf8Bytes(change.new_string);
  const general = lineEnd(body) ?? '\n';
  const parts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  let length = 0;
  for (const { start, end } of found) {
    const kept = body.slice(at, start);
    const put = withLineEnds(fresh, lineEnd(body.slice(start, end)) ?? general);
    parts.push(kept, put);
    starts.push(length + kept.length);
    length += kept.length + put.length;
    at = end;
  }
  const replaced = parts.join('') + body.slice(at);
  return { kind: 'replaced', body: replaced, lines: linesAt(replaced, starts) };
}

interface Occurrence {
  start: number;
  end: number;
}

function occurrences(body: string, wanted: string): Occurrence[] {
  const plain = wanted.replaceAll('\r\n', '\n');
  const found: Occurrence[] = [];
  if (!plain.includes('\n')) {
    for (let at = body.indexOf(plain); at !== -1; at = body.indexOf(plain, at + plain.length)) {
      found.push({ start: at, end: at + plain.length });
    }
    return found;
  }
  const pattern = plain
    .split('\n')
    .map((line) => line.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('\\r?\\n');
  for (const match of body.matchAll(new RegExp(pattern, 'g'))) {
    found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The numbers of the lines in which these ascending positions are. */
function linesAt(body: string, positions: readonly number[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const position of positions) {
    for (let next = body.indexOf('\n', at); next !== -1 && next < position; next = body.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    lines.push(line);
  }
  return lines;
}
