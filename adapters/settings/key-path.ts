import { oneLine } from '../../domain/text/one-line.ts';

/** A name that can stand in a key as it is. */
const plain = /^[^."\s]+$/;

/** `providers.local.base_url`, `models."local/qwen3:4.5".images`, `permissions.deny[2]`. */
export function keyText(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      return `.${plain.test(name) ? name : JSON.stringify(name)}`;
    })
    .join('');
  return oneLine(text.replace(/^\./, ''));
}

const namesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/**
 * The path of a key as people write it: names joined by dots, a name that holds a dot in double
 * quotes. Where the quotes are left out, the longest name that stands in `known` counts, so that
 * `models.local/qwen3:4.5.images` is found once that model is there. Null: it cannot be read.
 */
export function parseKey(key: string, known: unknown): string[] | null {
  const path: string[] = [];
  let here = known;
  let rest = key;
  for (;;) {
    const part = firstName(rest, namesOf(here));
    if (part === null || part.name === '') return null;
    path.push(part.name);
    here = namesOf(here).includes(part.name) ? (here as Record<string, unknown>)[part.name] : undefined;
    rest = rest.slice(part.length);
    if (rest === '') return path;
    if (!rest.startsWith('.')) return null;
    rest = rest.slice(1);
  }
}

/** The name that `text` begins with, and how much of the text it takes. */
function firstName(text: string, names: readonly string[]): { name: string; length: number } | null {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (quoted !== undefined) {
    try {
      return { name: String(JSON.parse(quoted)), length: quoted.length };
    } catch {
      return null; // not a string as JSON writes it
    }
  }
  if (text.startsWith('"')) return null;
  const fitting = names.filter((name) => text === name || text.startsWith(`${name}.`));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  const name = longest ?? text.split('.', 1)[0] ?? '';
  return { name, length: name.length };
}
