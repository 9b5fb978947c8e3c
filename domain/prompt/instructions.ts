import type { InstructionFile } from '../../ports/content.ts';
import { oneLine, withoutOwnTags } from '../text/one-line.ts';
import { byteLength } from '../text/cut.ts';

/** Bytes that the instruction files may take together, with what stands around them. */
export const instructionsLimit = 32_768;

/** LF at the line ends, nothing invisible at a line's end, no blank lines behind it. */
function tidy(text: string): string[] {
  return withoutOwnTags(text.replace(/^\uFEFF/, ''))
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

function wrapped(path: string, lines: readonly string[]): string {
  return [`<instructions path="${oneLine(path).replaceAll('"', "'")}">`, ...lines, '</instructions>'].join(
    '\n',
  );
}

const between = 2;

function leftOut(path: string, from: number, to: number): string {
  return `[Lines ${from} to ${to} of ${oneLine(path)} are left out here; \`read\` them when they matter.]`;
}

/**
 * One file in at most `room` bytes: whole, cut at a line end, or null if not even its name fits.
 * `skipped` lines of it stand before `lines`.
 */
function fitted(
  path: string,
  lines: readonly string[],
  skipped: number,
  room: number,
): { text: string; cutFrom: number | null } | null {
  const whole = wrapped(path, lines);
  if (byteLength(whole) <= room) return { text: whole, cutFrom: null };
  const last = skipped + lines.length;
  let used = byteLength(wrapped(path, [leftOut(path, last, last)]));
  if (used > room) return null;
  let kept = 0;
  for (const line of lines) {
    used += byteLength(line) + 1;
    if (used > room) break;
    kept += 1;
  }
  const cutFrom = skipped + kept + 1;
  return { text: wrapped(path, [...lines.slice(0, kept), leftOut(path, cutFrom, last)]), cutFrom };
}

/**
 * The instruction files as a model reads them, general first, in at most `instructionsLimit` bytes
 * (spec: prompting, "Sizes"). When they are larger, the nearest files keep their room and farther
 * ones are cut; `notices` tell the user.
 */
export function instructionsText(files: readonly InstructionFile[]): { text: string; notices: string[] } {
  let room = instructionsLimit;
  const texts: string[] = [];
  const notices: string[] = [];
  for (const file of [...files].reverse()) {
    const lines = tidy(file.text);
    const first = lines.findIndex((line) => line !== '');
    if (first === -1) continue;
    const part = fitted(file.path, lines.slice(first), first, room);
    const limit = `the instruction files together exceed ${instructionsLimit} bytes`;
    if (part === null) {
      notices.unshift(`${oneLine(file.path)} is left out: ${limit}. Shorten them.`);
      continue;
    }
    if (part.cutFrom !== null) {
      notices.unshift(`${oneLine(file.path)} is cut before line ${part.cutFrom}: ${limit}. Shorten them.`);
    }
    texts.unshift(part.text);
    room -= byteLength(part.text) + between;
  }
  return { text: texts.join('\n\n'), notices };
}
