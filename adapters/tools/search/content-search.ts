import { relative, sep } from 'node:path';
import { cutEnd } from '../../../domain/text/cut.ts';
import { nearNames } from '../../../domain/text/near-names.ts';
import type { ToolContext, ToolResult } from '../../../plugins/sdk/index.ts';
import { count, failure } from '../common/results.ts';
import { shownPath } from '../common/shown-path.ts';
import { fileTypes, typePatterns } from './file-types.ts';
import { HitText } from './contents/hit-text.ts';
import { PatternError, SlowPatternError } from './contents/hits.ts';
import type { FileHits, Search, SearchProblems } from './contents/hits.ts';
import type { GrepInput } from './grep.ts';
import { defaultHits, mostContext, mostHits } from './limits.ts';
import { anyPattern, pathPattern, patternProblem } from './path-pattern.ts';
import type { PathTest } from './path-pattern.ts';
import { ripgrepHits } from './contents/ripgrep.ts';
import { scanHits } from './contents/scan.ts';
import { searchScope } from './scope.ts';
import type { SearchScope } from './scope.ts';

/** Bytes kept free for the lines that say what was left out. */
const noteBytes = 400;
/** Bytes of a pattern that an error repeats. */
const patternBytes = 300;

/** Searches file contents, with ripgrep where there is one (spec: tools, `grep`). */
export async function searchContents(asked: GrepInput, context: ToolContext): Promise<ToolResult> {
  if (asked.pattern.includes('\0')) {
    const what = shownPattern(asked.pattern);
    return failure(`Nothing was searched: ${what} holds a NUL character. Write it as \`\\x00\`.`);
  }
  const wanted = wantedPaths(asked.glob, asked.type);
  if (typeof wanted === 'string') return failure(wanted);
  const scope = await searchScope(asked.path ?? '.', context);
  if (typeof scope === 'string') return failure(scope);
  const most = Math.min(asked.head_limit ?? defaultHits, mostHits);
  const mode = asked.mode ?? 'content';
  const what: Search = {
    pattern: asked.pattern,
    mode,
    ignoreCase: asked.ignore_case === true,
    multiline: asked.multiline === true,
    context: mode === 'content' ? Math.min(asked.context ?? 0, mostContext) : 0,
    // One more shows that there is more.
    most: mode === 'content' ? most + 1 : 1,
    // A file that is named is searched whatever its name.
    ...(scope.isFile ? { wanted: () => true, hints: [] } : wanted),
  };
  const problems: SearchProblems = { denied: 0, shut: 0, large: 0 };
  const text = new HitText(mode, most, context.outputLimit - noteBytes, context.cwd);
  try {
    for await (const hits of await sourceOf(what, scope, context, problems)) {
      if ((await belongs(hits, what, scope, context, problems)) && !text.add(hits)) break;
    }
  } catch (error) {
    if (error instanceof PatternError) return failure(badPattern(asked.pattern, error.message));
    if (error instanceof SlowPatternError) {
      const where = shownPath(error.path, context.cwd);
      return failure(
        `The search was ended: ${shownPattern(asked.pattern)} takes too long in ${where}. Write it without a repeat inside a repeat, such as \`(a+)+\`, or leave that file out.`,
      );
    }
    throw error;
  }
  return { content: report(asked, scope, text, problems, context) };
}

async function sourceOf(
  what: Search,
  scope: SearchScope,
  context: ToolContext,
  problems: SearchProblems,
): Promise<AsyncGenerator<FileHits>> {
  const ripgrep = await context.processes.find('rg');
  return ripgrep === null
    ? scanHits(what, scope, context, problems)
    : ripgrepHits(ripgrep, what, scope, context, problems);
}

/** What is found counts only where the path is wanted, not ignored and may be read. */
async function belongs(
  { path }: FileHits,
  what: Search,
  { root, rules }: SearchScope,
  { files }: ToolContext,
  problems: SearchProblems,
): Promise<boolean> {
  if (!what.wanted(relative(root, path).split(sep).join('/'))) return false;
  if (rules !== null && (await rules.ignores(path, false))) return false;
  const [readable] = await files.readable([path]);
  if (readable === true) return true;
  problems.denied += 1;
  return false;
}

function wantedPaths(
  glob: string | undefined,
  type: string | undefined,
): { wanted: PathTest; hints: readonly string[] } | string {
  const ofType = type === undefined ? [] : typePatterns(type);
  if (ofType === null) {
    const near = nearNames(type ?? '', Object.keys(fileTypes));
    const names = near.length > 0 ? near : Object.keys(fileTypes);
    return `Nothing was searched: there is no file type ${JSON.stringify(type)}. There is: ${names.join(', ')}. Or give a \`glob\`.`;
  }
  const problem = glob === undefined ? null : patternProblem(glob);
  if (problem !== null) return problem;
  const byType = type === undefined ? () => true : anyPattern(ofType);
  const byGlob = glob === undefined ? () => true : pathPattern(glob);
  // What ripgrep might read in another way is left to the test.
  const isPlain = glob !== undefined && /^[\w.*?{},/-]*\.[\w{},]+$/.test(glob);
  const hints = isPlain ? [glob.replace(/^(?:\.?\/)+/, '')] : glob === undefined ? ofType : [];
  return { wanted: (path) => byType(path) && byGlob(path), hints };
}

const shownPattern = (pattern: string) => `the pattern ${cutEnd(JSON.stringify(pattern), patternBytes)}`;

/** Why a pattern cannot be searched for; what the search program says of its own options is left out. */
function badPattern(pattern: string, why: string): string {
  const what = `Nothing was searched: ${shownPattern(pattern)}`;
  if (/look-?around|backreference/i.test(why)) {
    return `${what} has look-around or a backreference, and neither is supported. Write it without them.`;
  }
  if (/^the literal .*\\n.* is not allowed/.test(why)) {
    return `${what} holds a line end, which is matched only with \`multiline\`.`;
  }
  const lines = why.trim().split('\n');
  const reason = lines.find((line) => line.startsWith('error: '))?.slice(7) ?? lines[0] ?? '';
  return `${what} is no valid regular expression: ${reason}. Escape what is meant literally with a backslash: \\{ \\} \\( \\) \\[ \\] \\. \\* \\+ \\?`;
}

function report(
  asked: GrepInput,
  scope: SearchScope,
  text: HitText,
  problems: SearchProblems,
  { cwd }: ToolContext,
): string {
  const notes: string[] = [];
  if (text.cut) {
    const what = { content: 'line', files_with_matches: 'file', count: 'file' }[asked.mode ?? 'content'];
    notes.push(
      `[cut after ${count(text.hits, what)}; raise \`head_limit\`, or narrow \`path\`, \`glob\` or \`type\`]`,
    );
  }
  if (problems.denied > 0) {
    notes.push(`[${count(problems.denied, 'file')} left out: a deny rule for \`read\` covers it]`);
  }
  if (problems.shut > 0)
    notes.push(`[${count(problems.shut, 'file or folder', 'files or folders')} could not be read]`);
  if (problems.large > 0) notes.push(`[${count(problems.large, 'file')} too large to be searched]`);
  if (text.hits > 0) return [text.text, ...notes].join('\n');
  const narrowed = [asked.glob, asked.type].filter((one) => one !== undefined).join(', ');
  const place = scope.root === cwd ? 'the working directory' : shownPath(scope.root, cwd);
  const where = `${place}${narrowed === '' ? '' : ` (${narrowed})`}`;
  const ignored =
    scope.rules === null
      ? ''
      : ' Files that ignore rules name were not searched; `path` can name them or their folder.';
  return [`No match for ${JSON.stringify(asked.pattern)} in ${where}.${ignored}`, ...notes].join('\n');
}
