import { isAbsolute, join, relative, sep } from 'node:path';
import { byCodePoint } from '../../../domain/text/near-names.ts';
import { byteLength } from '../../../domain/text/cut.ts';
import type { ToolContext, ToolResult } from '../../../plugins/sdk/index.ts';
import { count, failure } from '../common/results.ts';
import { shownPath } from '../common/shown-path.ts';
import type { GlobInput } from './glob.ts';
import { mostPaths } from './limits.ts';
import { pathPattern, patternProblem, splitPattern } from './path-pattern.ts';
import { searchScope } from './scope.ts';
import { walk } from './walk.ts';
import type { WalkProblems } from './walk.ts';

/** Files whose state is asked for at once. */
const together = 64;
/** Bytes kept free for the lines that say what was left out. */
const noteBytes = 400;

/** Finds files by their paths (spec: tools, `glob`). */
export async function searchPaths({ pattern, path }: GlobInput, context: ToolContext): Promise<ToolResult> {
  const problem = patternProblem(pattern);
  if (problem !== null) return failure(problem);
  const asked = pattern.replace(/^\.\//, '');
  const { folder, rest } = asked.startsWith('!') ? { folder: '', rest: asked } : splitPattern(asked);
  const at = isAbsolute(folder) ? folder : join(path ?? '.', folder);
  const scope = await searchScope(at, context);
  if (typeof scope === 'string') return failure(scope);
  if (scope.isFile) return failure(`${at} is a file. Name a folder in \`path\`, or read it with \`read\`.`);
  const matches = pathPattern(rest, folder !== '');
  const problems: WalkProblems = { shut: 0 };
  const found: string[] = [];
  for await (const entry of walk(scope, context, problems)) {
    if (matches(relative(scope.root, entry.path).split(sep).join('/'))) found.push(entry.path);
  }
  return { content: await listed(pattern, found, problems, context) };
}

async function listed(
  pattern: string,
  found: readonly string[],
  problems: WalkProblems,
  context: ToolContext,
): Promise<string> {
  const readable = await context.files.readable(found);
  const open = found.filter((_, at) => readable[at] === true);
  const newest = await byTime(open, context);
  const lines: string[] = [];
  let room = context.outputLimit - noteBytes;
  for (const path of newest.slice(0, mostPaths)) {
    const line = shownPath(path, context.cwd);
    room -= byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const notes: string[] = [];
  if (lines.length < open.length) {
    notes.push(
      `[the newest ${lines.length} of ${open.length}; a narrower \`pattern\` or \`path\` shows the others]`,
    );
  }
  const denied = found.length - open.length;
  if (denied > 0) notes.push(`[${count(denied, 'file')} left out: a deny rule for \`read\` covers them]`);
  if (problems.shut > 0) notes.push(`[${count(problems.shut, 'folder')} could not be read]`);
  if (lines.length === 0) {
    notes.unshift(
      `No file matches ${pattern}. Files that ignore rules name were not looked at; \`path\` can name their folder.`,
    );
  }
  return [...lines, ...notes].join('\n');
}

async function byTime(paths: readonly string[], { files, signal }: ToolContext): Promise<string[]> {
  const timed: { path: string; time: number }[] = [];
  for (let at = 0; at < paths.length; at += together) {
    signal.throwIfAborted();
    const some = paths.slice(at, at + together);
    const stats = await Promise.all(some.map((path) => files.stat(path)));
    timed.push(...some.map((path, i) => ({ path, time: stats[i]?.mtimeMs ?? 0 })));
  }
  return timed.sort((a, b) => b.time - a.time || byCodePoint(a.path, b.path)).map(({ path }) => path);
}
