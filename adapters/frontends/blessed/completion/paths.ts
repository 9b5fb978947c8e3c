import { oneLine } from '../../../../domain/text/one-line.ts';
import type { Completion, CompletionItem } from './completion.ts';

/** What cannot stand in a mention however it is written, or not in the input at all. */
const unwritable = /["\p{Cc}\p{Cs}]/u;

/** What a mention without quotes ends at, or takes for the sentence's or for line numbers. */
const needsQuotes = /^@|[\s'`<>|*()[\]{}]|[.,;:!?]$|:\d+(?:-\d+)?$/;

/** A path as a prompt mentions it. A folder in quotes stays open, so that what lies in it can follow. */
function mentionOf(path: string): string {
  const folder = path.endsWith('/');
  if (needsQuotes.test(path)) return folder ? `@"${path}` : `@"${path}" `;
  return folder ? `@${path}` : `@${path} `;
}

function pathItem(path: string): CompletionItem {
  return { insert: mentionOf(path), label: oneLine(path) };
}

/** The completion with the paths that came for `query`, best first; the same one if it is no longer what is written. */
export function withPaths(completion: Completion, query: string, paths: readonly string[]): Completion {
  if (completion.kind !== 'file' || completion.query !== query || completion.dismissed === true)
    return completion;
  const items = paths.filter((path) => path !== '' && !unwritable.test(path)).map(pathItem);
  return { ...completion, items, selected: Math.min(0, items.length - 1), waiting: false };
}
