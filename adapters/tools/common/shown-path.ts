import { isAbsolute, relative, sep } from 'node:path';

const odd = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A path for the model to read: from cwd where it lies in it, else absolute; odd names in quotes, escaped. */
export function shownPath(path: string, cwd: string): string {
  const inner = relative(cwd, path);
  if (inner === '') return '.';
  const outside = inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner);
  return shownName(outside ? path : inner.split(sep).join('/'));
}

/** A name in which nothing can hide. What is escaped stands in quotes, and `read` takes it so. */
export function shownName(name: string): string {
  if (!odd.test(name)) return name;
  const escaped = Array.from(name, (character) => {
    if (character === '\\' || character === '"') return `\\${character}`;
    if (!odd.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
    return named[character] ?? `\\u{${code.toString(16)}}`;
  });
  return `"${escaped.join('')}"`;
}

/** What `shownName` escaped, as it is; null if nothing is escaped in it. */
export function unescapedName(shown: string): string | null {
  if (!shown.includes('\\')) return null;
  const inner = shown.replace(/^"(.*)"$/s, '$1');
  return inner.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([nrt\\"]))/gi,
    (whole, code, byte, letter) => {
      if (code !== undefined) {
        const point = Number.parseInt(code as string, 16);
        return point > 0x10ffff ? (whole as string) : String.fromCodePoint(point);
      }
      if (byte !== undefined) return String.fromCharCode(0xdc00 + Number.parseInt(byte as string, 16));
      return { n: '\n', r: '\r', t: '\t' }[letter as string] ?? (letter as string);
    },
  );
}
