// Node 20 has these; the ES2023 library does not name them yet.
interface WellFormedText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** The text with lone surrogates replaced by U+FFFD. */
function wellFormedText(text: string): string {
  return (text as unknown as WellFormedText).toWellFormed();
}

/**
 * The JSON text of a body, without lone surrogates. Those, and nearly nothing else, come out of
 * `JSON.stringify` as escapes that begin with `\\ud`; so only then is the body gone through.
 */
export function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? JSON.stringify(wellFormed(value)) : text;
}

/**
 * A JSON value whose strings, keys included, hold no lone surrogates (wire formats, section 5, step 8).
 * Returns the value itself when nothing had to change, as is nearly always so.
 */
function wellFormed<T>(value: T): T {
  return fix(value) as T;
}

function fix(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(fix);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const fixed: [string, unknown] = [wellFormedText(key), fix(item)];
    changed ||= fixed[0] !== key || fixed[1] !== item;
    return fixed;
  });
  return changed ? Object.fromEntries(entries) : value;
}
