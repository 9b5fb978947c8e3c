/** A block of code of which the end has not come yet. */
export interface OpenFence {
  info: string;
  /** Takes the fence's own indent off a line. */
  inner(line: string): string;
  isEnd(line: string): boolean;
}

/** The fence that a line begins, by the rules that marked has for whole blocks; null if it begins none. */
export function openFence(line: string): OpenFence | null {
  const [, indent = '', marker = '', info = ''] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
  if (marker === '') return null;
  const end = new RegExp(`^ {0,3}${marker}${marker.charAt(0)}* *$`);
  // Marked leaves the lines of a fence of tildes as they are.
  const shift = marker.startsWith('`') ? indent.length : 0;
  return {
    info: info.trim(),
    inner: (text) => text.slice(Math.min(shift, text.length - text.trimStart().length)),
    isEnd: (text) => end.test(text),
  };
}
