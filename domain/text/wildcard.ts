/** Whether `text` is wholly of the form `pattern`; `*` is any run of characters, all else is itself. */
export function wildcardMatches(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return text === pattern;
  if (!text.startsWith(first)) return false;
  const end = text.length - last.length;
  const found = findInOrder(pieces.slice(1, -1), text, first.length);
  return found !== null && found <= end && text.endsWith(last);
}

/** Where the pieces, one after the other and leftmost, end; null if they do not stand in `text` in this order. */
export function findInOrder(pieces: readonly string[], text: string, from: number): number | null {
  let at = from;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return null;
    at = found + piece.length;
  }
  return at;
}
