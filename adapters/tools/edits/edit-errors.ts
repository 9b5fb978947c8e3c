import { byteLength, cutEnd } from '../../../domain/text/cut.ts';
import { count } from '../common/results.ts';
import { nearestPlace } from './nearest-place.ts';
import type { NearestPlace } from './nearest-place.ts';
import { decoded, isUtf8 } from './text-style.ts';

/** Bytes of the nearest place that are shown. */
const placeBytes = 1600;
const mostLines = 10;

/** Nothing matched: where it may have been meant for, and how that differs (spec: prompting, "Results"). */
export function noMatch(file: string, body: string, sent: string): string {
  const head = `\`old_string\` does not occur in ${file}, and nothing was changed.`;
  const text = decoded(body);
  const encoding = isUtf8(body)
    ? []
    : ['The file is not UTF-8 (perhaps Latin-1): leave letters beyond ASCII out of `old_string`.'];
  const nearest = nearestPlace(text, sent);
  if (nearest === null) {
    const lines = count(text.replace(/\n$/, '').split('\n').length, 'line');
    const next = `No place in its ${lines} resembles it. Read the file, and copy \`old_string\` from it.`;
    return [head, ...encoding, next].join('\n');
  }
  const { lines, first, last } = shownPlace(nearest);
  const where = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  // A blank at a line's end cannot be seen, so that such a place is written as a JSON string.
  const isHidden = lines.some((line) => /\s$/.test(line));
  const shown = isHidden
    ? [`The nearest place is ${where}, which is, as a JSON string:`, JSON.stringify(lines.join('\n'))]
    : [
        `The nearest place is ${where}, between the marks exactly as it stands in the file:`,
        '<<<<',
        ...lines,
        '>>>>',
      ];
  return [
    head,
    ...encoding,
    ...shown,
    'It differs from what was sent:',
    ...nearest.differences.map((difference) => `- ${difference}`),
    'If this is the place, send its text as `old_string`.',
  ].join('\n');
}

/** The place, or as much of it as there is room for; whole lines, so that it can be copied. */
function shownPlace({ line, lines }: NearestPlace): { lines: string[]; first: number; last: number } {
  const shown: string[] = [];
  let room = placeBytes;
  for (const one of lines) {
    room -= byteLength(one) + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(one);
    if (room < 0) break;
  }
  return { lines: shown.map((one) => cutEnd(one, placeBytes)), first: line, last: line + shown.length - 1 };
}

/** More than one place matched. */
export function severalMatches(file: string, lines: readonly number[]): string {
  const shown = lines.slice(0, mostLines).join(', ');
  const more = lines.length > mostLines ? ` and ${lines.length - mostLines} more` : '';
  return `\`old_string\` occurs ${lines.length} times in ${file}, at lines ${shown}${more}; nothing was changed. Add a line before or after it to mean one of them, or set \`replace_all\` to change all.`;
}
