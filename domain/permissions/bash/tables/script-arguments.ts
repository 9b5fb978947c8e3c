/** Arguments that hold scripts of their own: what of them runs commands or writes files. */

/** The scripts among sed's arguments that do, or that cannot be told from such. */
export function sedReaches(values: readonly string[]): string[] {
  if (values.includes('--sandbox') && !values.includes('--')) return [];
  return scriptsOf(values).filter((script) => !isHarmlessSed(script));
}

/** Values of `-e` and `--expression`; if there are none, the first operand. */
function scriptsOf(values: readonly string[]): string[] {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? '';
    const long = /^--e[a-z]*(?:=([^]*))?$/.exec(value);
    const short = /^-[nrsuzEb]*e([^]*)$/.exec(value);
    if (long !== null || short !== null) {
      const given = long === null ? short?.[1] || undefined : long[1];
      if (given === undefined) at += 1;
      scripts.push(given ?? values[at] ?? '');
    } else if (value === '-l' || value === '--line-length') at += 1;
    else if (value === '--') {
      operands.push(...values.slice(at + 1));
      break;
    } else if (!/^-./s.test(value)) operands.push(value);
  }
  return scripts.length > 0 ? scripts : operands.slice(0, 1);
}

/** Whether a sed script is read as one that neither runs (`e`) nor writes (`w`); in doubt it is not. */
function isHarmlessSed(script: string): boolean {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^(?:[\s;{}]+|#[^\n]*)+/, '');
    if (rest === '') return true;
    const after = afterAddresses(rest);
    if (after === null) return false;
    const next = afterCommand(after);
    if (next === null) return false;
    rest = next;
  }
}

/** `1,/re/!` and the like. */
function afterAddresses(text: string): string | null {
  let rest = text;
  for (let count = 0; count < 2; count += 1) {
    const plain = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(rest);
    const pattern = /^(?:\/|\\([^]))/.exec(rest);
    if (plain !== null) rest = rest.slice(plain[0].length);
    else if (pattern !== null) {
      const end = delimited(rest, pattern[0].length, pattern[1] ?? '/');
      if (end === null) return null;
      rest = rest.slice(end).replace(/^[IM]+/, '');
    } else break;
    const comma = /^\s*,\s*/.exec(rest);
    if (comma === null) break;
    rest = rest.slice(comma[0].length);
  }
  return rest.replace(/^\s*(?:!\s*)*/, '');
}

/** What follows one command; null if it is `e`, `w`, `W` or not known. */
function afterCommand(text: string): string | null {
  const name = text.charAt(0);
  if (/[=dDgGhHnNpPxFz]/.test(name) || name === '{' || name === '}') return text.slice(1);
  if (/[qQlL]/.test(name)) return text.slice(1).replace(/^\s*\d*/, '');
  if (/[:btTv]/.test(name)) return text.slice(1).replace(/^[ \t]*[\w.-]*/, '');
  if (/[rR]/.test(name)) return text.slice(1).replace(/^[^\n;]*/, '');
  // The text of these goes to the end of the line, and on where a backslash ends it.
  if (/[aic]/.test(name)) return text.slice(1).replace(/^(?:\\[^]|[^\\\n])*/, '');
  if (name !== 's' && name !== 'y') return null;
  const by = text.charAt(1);
  const middle = by === '' || by === '\n' || by === '\\' ? null : delimited(text, 2, by);
  const end = middle === null ? null : delimited(text, middle, by);
  if (end === null) return null;
  const rest = text.slice(end);
  if (name === 'y') return rest;
  const flags = /^[gpiImM\d]*/.exec(rest)?.[0] ?? '';
  return /^(?:\s*(?:[;}#\n]|$))/.test(rest.slice(flags.length)) ? rest.slice(flags.length) : null;
}

/** The position after the next `by` that is not escaped; null if there is none, or that is not sure. */
function delimited(text: string, from: number, by: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === by) return at + 1;
    // Whether the delimiter is text within brackets differs between seds.
    else if (text[at] === '[' && text.slice(at + 1, text.indexOf(']', at + 3) + 1 || at + 1).includes(by))
      return null;
  }
  return null;
}

/** An awk program that runs commands, writes files, reads from a command or loads more code. */
export function awkReaches(values: readonly string[]): string[] {
  return values.filter((value) => {
    const print = value.search(/print/);
    const writes = print !== -1 && value.includes('>', print);
    return writes || /\b(?:system|getline)\b|@|(?<!\|)\|(?!\|)/.test(value);
  });
}
