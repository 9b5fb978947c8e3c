import { lineDifference, loose } from './line-differences.ts';

/** The place in a file that a text was probably meant for. */
export interface NearestPlace {
  /** Number of its first line. */
  line: number;
  /** Its lines, as they stand in the file. */
  lines: string[];
  /** How they differ from what was sent, in words. */
  differences: string[];
}

/** Lines of a file beyond which only a place that is alike but for disguises is looked for. */
const mostLines = 50_000;
const mostDifferences = 6;
/** Of 1: how alike the best place has to be. */
const alikeEnough = 0.5;

/** What was sent, and how it may have been meant. */
interface Reading {
  lines: string[];
  why: string | null;
}

/** Finds the place, or null if nothing resembles it. */
export function nearestPlace(fileText: string, sent: string): NearestPlace | null {
  const file = fileText.split(/\r?\n/);
  for (const reading of readings(sent)) {
    const start = disguised(file, reading.lines);
    if (start !== null) return place(file, start, reading);
  }
  if (file.length > mostLines) return null;
  const [first] = readings(sent);
  const start = first === undefined ? null : mostAlike(file, first.lines);
  return start === null || first === undefined ? null : place(file, start, first);
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  if (lines.length > 1 && lines[0] === '') lines.shift();
  return lines;
}

function readings(sent: string): Reading[] {
  const lines = linesOf(sent);
  const all: Reading[] = [{ lines, why: null }];
  const prefix = /^\s*\d+[\t:|→]\s?/;
  if (lines.every((line) => line.trim() === '' || prefix.test(line))) {
    const why = 'the line numbers that `read` shows were copied along; they are not in the file';
    all.push({ lines: lines.map((line) => line.replace(/^\s*\d+[\t:|→]/, '')), why });
  }
  if (/\\[nrt"']/.test(sent)) {
    const written: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
    const meant = sent.replace(/\\([nrt"'])/g, (_, letter: string) => written[letter] ?? letter);
    const why = 'line ends, tabs or quotes were sent as two characters, a backslash and a letter';
    all.push({ lines: linesOf(meant), why });
  }
  return all;
}

/** Where the lines stand but for what can be mistaken; the first and the last may be parts of lines. */
function disguised(file: readonly string[], wanted: readonly string[]): number | null {
  const sought = wanted.map(loose);
  if (sought.every((line) => line === '')) return null;
  const looseFile = file.map(loose);
  const last = sought.length - 1;
  const fits = (line: string, at: number): boolean => {
    const one = sought[at] ?? '';
    if (last === 0) return line.includes(one);
    if (at === 0) return line.endsWith(one);
    return at === last ? line.startsWith(one) : line === one;
  };
  for (let start = 0; start + last < looseFile.length; start += 1) {
    if (sought.every((_, at) => fits(looseFile[start + at] ?? '', at))) return start;
  }
  return null;
}

/** Where most is alike. */
function mostAlike(file: readonly string[], wanted: readonly string[]): number | null {
  const sought = wanted.map(loose);
  const looseFile = file.map(loose);
  const starts = candidates(looseFile, sought);
  let best: { start: number; score: number } | null = null;
  for (const start of starts) {
    const score = likeness(looseFile, start, sought);
    if (score >= alikeEnough && (best === null || score > best.score)) best = { start, score };
  }
  return best?.start ?? null;
}

/** Starts that equal lines speak for; where there are none, those that the longest line is most like. */
function candidates(file: readonly string[], sought: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  for (const [at, line] of file.entries()) {
    if (line === '') continue;
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  }
  const votes = new Map<number, number>();
  for (const [offset, line] of sought.entries()) {
    const found = places.get(line) ?? [];
    // A line such as `}` that stands everywhere says little.
    if (found.length > 200) continue;
    for (const at of found)
      votes.set(Math.max(0, at - offset), (votes.get(Math.max(0, at - offset)) ?? 0) + 1);
  }
  const voted = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 50);
  const longest = sought.reduce(
    (best, line, at) => (line.length > (sought[best] ?? '').length ? at : best),
    0,
  );
  const scored = file
    .map((line, at) => ({ start: Math.max(0, at - longest), score: similar(line, sought[longest] ?? '') }))
    .filter(({ score }) => score >= alikeEnough)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, 20);
  return [...new Set([...voted.map(([start]) => start), ...scored.map(({ start }) => start)])];
}

/** Of 1, weighed by the lengths of the lines. */
function likeness(file: readonly string[], start: number, sought: readonly string[]): number {
  let all = 0;
  let alike = 0;
  for (const [at, line] of sought.entries()) {
    const weight = line.length + 1;
    all += weight;
    alike += weight * similar(file[start + at] ?? '', line);
  }
  return alike / all;
}

/** Share of common pairs of characters, of 1. */
function similar(a: string, b: string): number {
  if (a === b) return 1;
  const [x, y] = [a.slice(0, 300), b.slice(0, 300)];
  if (x.length < 2 || y.length < 2) return 0;
  // Lengths that are too far apart cannot be alike.
  if (Math.min(x.length, y.length) * 3 < Math.max(x.length, y.length)) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at < x.length - 1; at += 1) {
    const pair = x.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let at = 0; at < y.length - 1; at += 1) {
    const pair = y.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common += 1;
  }
  return (2 * common) / (x.length + y.length - 2);
}

function place(file: readonly string[], start: number, reading: Reading): NearestPlace {
  const lines = file.slice(start, start + reading.lines.length);
  const end = reading.lines.length - 1;
  const differences = lines.flatMap((line, at) => {
    const sent = reading.lines[at] ?? '';
    // The first and the last may be sent as parts of lines.
    if ((at === 0 && line.endsWith(sent)) || (at === end && line.startsWith(sent))) return [];
    if (end === 0 && line.includes(sent)) return [];
    const difference = lineDifference(start + at + 1, line, sent);
    return difference === null ? [] : [difference];
  });
  if (differences.length === 0 && reading.why === null) {
    differences.push('the call has a line end at its beginning or end that the file has not');
  }
  const shown = differences.slice(0, mostDifferences);
  const more = differences.length - shown.length;
  return {
    line: start + 1,
    lines,
    differences: [
      ...(reading.why === null ? [] : [reading.why]),
      ...shown,
      ...(more > 0 ? [`and ${more} more lines differ`] : []),
    ],
  };
}
