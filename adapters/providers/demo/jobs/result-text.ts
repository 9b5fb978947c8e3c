/** A line of a file as the `read` tool shows it. */
export interface NumberedLine {
  number: number;
  text: string;
}

/** The numbered lines in a result of `read`; empty if it shows no file's text. */
export function numberedLines(result: string): NumberedLine[] {
  return result.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\t(.*)$/.exec(line);
    return match === null ? [] : [{ number: Number(match[1]), text: match[2] ?? '' }];
  });
}

/** Where `grep` found something: `path:line:text` a line. */
export interface Hit {
  path: string;
  line: number;
  text: string;
}

/** The places in a result of `grep`. */
export function hits(result: string): Hit[] {
  return result.split('\n').flatMap((line) => {
    const match = /^(.+?):(\d+)[:\t] ?(.*)$/.exec(line);
    return match === null ? [] : [{ path: match[1] ?? '', line: Number(match[2]), text: match[3] ?? '' }];
  });
}

/** The paths in a result that lists one a line; what says that something was left out is no path. */
export function pathLines(result: string): string[] {
  return result
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[[(…]/.test(line) && !/[.:]$/.test(line) && !/\s{2,}/.test(line));
}

/** The entries in a result of `read` that lists a folder, folders with a slash. */
export function folderEntries(result: string): string[] {
  return result.split('\n').flatMap((line) => {
    const match = /^ {2}(\S.*)$/.exec(line);
    return match?.[1] === undefined ? [] : [match[1].replace(/@$/, '')];
  });
}

/** How many there are in all, where a result shows only some of them. */
export function totalOf(result: string): number | null {
  const match = /^\[the (?:newest|first) \d+ of (\d+)/m.exec(result);
  return match === null ? null : Number(match[1]);
}

/** True if a search stopped at its limit, so that there may be more than it shows. */
export function isCut(result: string): boolean {
  return /^\[cut after \d+ /m.test(result);
}

/** How many lines the file has that a result of `read` shows; null if the result does not say. */
export function lineTotal(result: string): number | null {
  const note = /^\[lines \d+ to \d+(?: of (\d+))?[;,]/m.exec(result);
  if (note === null) return numberedLines(result).at(-1)?.number ?? null;
  return note[1] === undefined ? null : Number(note[1]);
}

/** A number with its word, as in "1 line" and "2 lines". */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** "line 3", or "lines 3 to 5". */
export function linesText(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

/** A fence that `text` does not end. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
