import { cutEnd } from '../../../domain/text/cut.ts';

/** Milliseconds after which two texts count as wholly different. */
const longestDiff = 200;
const mostBytes = 100_000;

/** A unified diff for the screen; a text in its place where one would take too long or show nothing. */
export async function changeDisplay(path: string, before: string, after: string): Promise<string> {
  if (before.includes('\0') || after.includes('\0')) return `${path}: binary content replaced`;
  // Loaded when something is changed: not every run does.
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(path, path, before, after, '', '', { context: 3, timeout: longestDiff });
  if (patch === undefined)
    return `${path}: replaced, ${before.split('\n').length} by ${after.split('\n').length} lines`;
  return cutEnd(patch.replace(/^=+\n/, ''), mostBytes);
}
