/** More words, or longer ones in all, are not listed. */
const mostWords = 64;
const longest = 16 * 1024;

/**
 * The words that bash's brace expansion makes of one, still quoted as written; null if they are too
 * many. It comes before all other expansions and looks at the text alone.
 */
export function expandBraces(text: string): string[] | null {
  if (text.length > longest || text.split('{').length > mostWords) return null;
  let words = [text];
  for (let done = false; !done;) {
    done = true;
    const next: string[] = [];
    for (const word of words) {
      const one = expandFirst(word);
      if (one === null) next.push(word);
      else {
        done = false;
        if (next.length + one.length > mostWords) return null;
        next.push(...one);
      }
    }
    if (next.length > mostWords || next.reduce((sum, word) => sum + word.length, 0) > longest) return null;
    words = next;
  }
  return words.filter((word) => word !== '');
}

/** The outermost, leftmost braces taken apart; null if there are none that expand. */
function expandFirst(word: string): string[] | null {
  for (let open = nextOpen(word, 0); open !== -1; open = nextOpen(word, open + 1)) {
    const found = itemsFrom(word, open);
    if (found === null) continue;
    const before = word.slice(0, open);
    const after = word.slice(found.end + 1);
    const items = found.items.length > 1 ? found.items : sequence(found.items[0] ?? '');
    if (items !== null) return items.map((item) => before + item + after);
  }
  return null;
}

/** The next `{` that is neither quoted nor part of `${`. */
function nextOpen(word: string, from: number): number {
  for (let at = 0; at < word.length; at = skip(word, at)) {
    if (at >= from && word[at] === '{') return at;
  }
  return -1;
}

/** What stands between the commas of the braces that open at `open`. */
function itemsFrom(word: string, open: number): { items: string[]; end: number } | null {
  const items: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open + 1; at < word.length; at = skip(word, at)) {
    const letter = word[at];
    if (letter === '{') depth += 1;
    else if (letter === '}') {
      if (depth === 0) return { items: [...items, word.slice(start, at)], end: at };
      depth -= 1;
    } else if (letter === ',' && depth === 0) {
      items.push(word.slice(start, at));
      start = at + 1;
    }
  }
  return null;
}

/** The position after the character at `at`, or after the quotes or the expansion that begin there. */
function skip(word: string, at: number): number {
  const rest = word.slice(at, at + 2);
  if (rest[0] === '\\') return at + 2;
  if (rest[0] === "'") return after(word.indexOf("'", at + 1), word);
  if (rest[0] === '"') {
    let end = at + 1;
    while (end < word.length && word[end] !== '"') end += word[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  if (rest === '${') return after(word.indexOf('}', at), word);
  if (rest === "$'") {
    let end = at + 2;
    while (end < word.length && word[end] !== "'") end += word[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  return at + 1;
}

function after(end: number, word: string): number {
  return end === -1 ? word.length : end + 1;
}

/** `1..5`, `a..e`, `1..9..2`; null if it is none, or beyond all measure. */
function sequence(item: string): string[] | null {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(item);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(item);
  const [, first = '', last = '', by = '1'] = numbers ?? letters ?? [];
  if (first === '') return null;
  const value = (text: string) => (numbers === null ? text.charCodeAt(0) : Number(text));
  const step = Math.abs(Number(by)) || 1;
  const [from, to] = [value(first), value(last)];
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  const width = [first, last].some((text) => /^-?0\d/.test(text)) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: Math.min(count, mostWords + 1) }, (_, at) => {
    const one = from + at * step * (to < from ? -1 : 1);
    if (numbers === null) return String.fromCharCode(one);
    const digits = String(Math.abs(one)).padStart(one < 0 ? width - 1 : width, '0');
    return one < 0 ? `-${digits}` : digits;
  });
}
