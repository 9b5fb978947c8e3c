import { join, relative, sep } from 'node:path';
import type { CommandSpec, ToolContext } from '../../../../plugins/sdk/index.ts';
import { HitReader } from './hit-reader.ts';
import { PatternError } from './hits.ts';
import type { FileHits, Search, SearchProblems } from './hits.ts';
import type { SearchScope } from '../scope.ts';

/** Bytes of output that need no file: it is read as it comes. */
const keepBytes = 16 * 1024 * 1024;

/**
 * Hits by ripgrep, file by file in the order of the paths. Its ignore rules only save work: they may
 * find too much, and who asks sorts out the rest with `IgnoreRules`, so that all versions give the same.
 */
export async function* ripgrepHits(
  program: string,
  search: Search,
  scope: SearchScope,
  context: ToolContext,
  problems: SearchProblems,
): AsyncGenerator<FileHits> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const args = await argumentsFor(search, scope, context);
  const spec: CommandSpec = { command: { program, args }, cwd: cwdOf(scope), keepBytes };
  const reader = new HitReader(cwdOf(scope), search.most);
  const ready: FileHits[] = [];
  let done = false;
  let wake = () => {};
  const running = context.processes
    .run(spec, signal, (text) => {
      ready.push(...reader.push(text));
      wake();
    })
    .finally(() => {
      done = true;
      wake();
    });
  try {
    for (;;) {
      for (let next = ready.shift(); next; next = ready.shift()) yield next;
      if (done) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const { exitCode } = await running;
    context.signal.throwIfAborted();
    reader.push('\n');
    noteMessages(reader.messages, exitCode, problems);
  } finally {
    stop.abort();
    await running.catch(() => undefined); // Told above, unless nobody wanted the rest.
  }
}

/** Where it runs: patterns in the base's ignore files are relative to the base. */
function cwdOf({ base, root, isFile }: SearchScope): string {
  return isFile ? join(root, '..') : base;
}

async function argumentsFor(search: Search, scope: SearchScope, { files }: ToolContext): Promise<string[]> {
  const { base, root, isFile, rules } = scope;
  const cwd = cwdOf(scope);
  const inner = relative(cwd, root).split(sep).join('/');
  const args = ['--no-config', '--json', '--hidden', '--crlf', '--sort', 'path'];
  if (rules === null) args.push('--no-ignore');
  else {
    args.push('--no-ignore-global', '--no-ignore-exclude', '--no-ignore-parent', '--no-require-git');
    const rootIgnore = join(base, '.gitignore');
    if (root !== base && (await files.stat(rootIgnore))?.kind === 'file')
      args.push('--ignore-file', rootIgnore);
  }
  if (search.ignoreCase) args.push('--ignore-case');
  if (search.multiline) args.push('--multiline');
  if (search.mode === 'content' && search.context > 0) args.push('--context', String(search.context));
  if (search.mode === 'content') args.push('--max-count', String(search.most));
  if (search.mode === 'files_with_matches') args.push('--max-count', '1');
  if (!isFile) {
    for (const hint of search.hints) {
      args.push('--glob', hint.includes('/') ? `/${inner === '' ? '' : `${inner}/`}${hint}` : hint);
    }
    args.push('--glob', '!.git');
  }
  return [...args, '--regexp', search.pattern, '--', `./${inner}`];
}

function noteMessages(messages: readonly string[], exitCode: number | null, problems: SearchProblems): void {
  const others = messages.filter((message) => !/\(os error \d+\)/.test(message));
  problems.shut += messages.length - others.length;
  if (exitCode === 2 && others.length > 0) {
    throw new PatternError(others.join('\n').replace(/^rg: /, ''));
  }
}
