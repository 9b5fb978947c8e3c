import { relative, sep } from 'node:path';
import { isPortError } from '../../../../plugins/sdk/index.ts';
import type { ToolContext } from '../../../../plugins/sdk/index.ts';
import { wholeFileBytes } from '../../files/limits.ts';
import { patternExpression } from './pattern-expression.ts';
import { SlowPatternError } from './hits.ts';
import type { FileHits, HitLine, Search, SearchProblems } from './hits.ts';
import type { SearchScope } from '../scope.ts';
import { walk } from '../walk.ts';
import { TimeLimitError, withTimeLimit } from './time-limit.ts';

/** Milliseconds that one file may take, in which nobody can interrupt; only a bad pattern needs as many. */
const fileMs = 2000;

/**
 * Hits without ripgrep: slower, and the same. Throws `PatternError`, and `SlowPatternError` for a
 * pattern that ripgrep would search for in no time, and JavaScript's way of matching for ever.
 */
export async function* scanHits(
  search: Search,
  scope: SearchScope,
  context: ToolContext,
  problems: SearchProblems,
): AsyncGenerator<FileHits> {
  const expression = patternExpression(search.pattern, search.ignoreCase, search.multiline);
  for await (const path of pathsOf(scope, context, problems)) {
    if (!search.wanted(relative(scope.root, path).split(sep).join('/'))) continue;
    const text = await textOf(path, context, problems);
    if (text === null) continue;
    const hits = hitsIn(path, text, expression, search);
    if (hits.count > 0) yield { path, ...hits };
  }
}

function hitsIn(path: string, text: string, expression: RegExp, search: Search): Omit<FileHits, 'path'> {
  const find = () =>
    search.multiline ? multilineHits(text, expression, search) : lineHits(text, expression, search);
  // Without repeats there is nothing to try again, and the limit costs more than the search.
  if (!/[*+?{]/.test(search.pattern)) return find();
  try {
    return withTimeLimit(fileMs, find);
  } catch (error) {
    if (error instanceof TimeLimitError) throw new SlowPatternError(path);
    throw error;
  }
}

async function* pathsOf(
  scope: SearchScope,
  context: ToolContext,
  problems: SearchProblems,
): AsyncGenerator<string> {
  if (scope.isFile) {
    yield scope.root;
    return;
  }
  for await (const { path, kind } of walk(scope, context, problems)) if (kind === 'file') yield path;
}

async function textOf(path: string, context: ToolContext, problems: SearchProblems): Promise<string | null> {
  const { files, signal } = context;
  signal.throwIfAborted();
  const [readable] = await files.readable([path]);
  if (readable !== true) {
    problems.denied += 1;
    return null;
  }
  try {
    const stat = await files.stat(path);
    if (stat === null) return null;
    if (stat.size > wholeFileBytes) {
      problems.large += 1;
      return null;
    }
    return decoded((await files.read(path)).bytes);
  } catch (error) {
    if (!isPortError(error, 'file')) throw error;
    problems.shut += 1;
    return null;
  }
}

/** Null for what is not text. */
function decoded(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le').slice(1);
  return buffer.includes(0) ? null : buffer.toString('utf8').replace(/^\ufeff/, '');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function lineHits(text: string, expression: RegExp, search: Search): Omit<FileHits, 'path'> {
  const lines = linesOf(text);
  const matches: { line: number; at: number }[] = [];
  let count = 0;
  for (const [line, content] of lines.entries()) {
    const at = content.search(expression);
    if (at === -1) continue;
    count += 1;
    if (matches.length < search.most) matches.push({ line, at });
    else if (search.mode !== 'count') break;
  }
  return { lines: withContext(lines, matches, search.context), count };
}

function multilineHits(text: string, expression: RegExp, search: Search): Omit<FileHits, 'path'> {
  const plain = text.replaceAll('\r\n', '\n');
  const lines = linesOf(plain);
  const matches: { line: number; at: number }[] = [];
  let line = 0;
  let lineStart = 0;
  let count = 0;
  let lastCounted = -1;
  for (const match of plain.matchAll(expression)) {
    for (
      let next = plain.indexOf('\n', lineStart);
      next !== -1 && next < match.index;
      next = plain.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = next + 1;
    }
    const further = match[0].replace(/\n$/, '').split('\n').length - 1;
    for (let one = Math.max(line, lastCounted + 1); one <= line + further && one < lines.length; one += 1) {
      count += 1;
      lastCounted = one;
      if (matches.length < search.most)
        matches.push({ line: one, at: one === line ? match.index - lineStart : 0 });
    }
    if (matches.length >= search.most && search.mode !== 'count') break;
  }
  return { lines: withContext(lines, matches, search.context), count };
}

function withContext(
  lines: readonly string[],
  matches: readonly { line: number; at: number }[],
  around: number,
): HitLine[] {
  const matching = new Map(matches.map(({ line, at }) => [line, at]));
  const shown = new Set<number>();
  for (const { line } of matches) {
    for (
      let near = Math.max(0, line - around);
      near <= Math.min(lines.length - 1, line + around);
      near += 1
    ) {
      shown.add(near);
    }
  }
  return [...shown]
    .sort((a, b) => a - b)
    .map((line) => {
      const at = matching.get(line);
      return { number: line + 1, text: lines[line] ?? '', isMatch: at !== undefined, at: at ?? 0 };
    });
}
