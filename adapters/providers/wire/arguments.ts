/** A call's input as a message holds it: `null` with the text when that was not one JSON value. */
export type CallInput = { input: unknown } | { input: null; rawInput: string };

/** Deeper than any tool's input; what nests deeper cannot be stored or sent again safely. */
const depthLimit = 200;

/**
 * Parses the argument text of a call (wire formats, section 2). Nothing or blanks are `{}`. Some models
 * append closing brackets or send the same object twice: the first is taken. Anything else that is
 * not JSON gives `null`, and such a call must not run.
 */
export function parseArguments(text: string): CallInput {
  if (text.trim() === '') return { input: {} };
  const first = firstValue(text);
  if (first.depth > depthLimit) return { input: null, rawInput: text };
  const whole = parse(text);
  if (whole.ok) return whole.value === null ? { input: null, rawInput: text } : { input: whole.value };
  const head = parse(first.text);
  if (head.ok && isJunk(first.text, text.slice(first.end))) return { input: head.value };
  return { input: null, rawInput: text };
}

/** True for JSON that cannot be stored or sent again safely, however well it was read. */
export function nestsTooDeep(text: string): boolean {
  return text.length > depthLimit && firstValue(text).depth > depthLimit;
}

/** What follows the first value is nothing but closing brackets, or the same value again. */
function isJunk(value: string, rest: string): boolean {
  if (/^[\s\]}]*$/.test(rest)) return true;
  return rest.split(value).every((between) => between.trim() === '');
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

/** The object at the start of the text, where it ends, and how deep the text nests. */
function firstValue(text: string): { text: string; end: number; depth: number } {
  let depth = 0;
  let deepest = 0;
  let end = -1;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0 && end === -1) end = i + 1;
    }
  }
  const isObject = text.trimStart().startsWith('{');
  return { text: isObject && end !== -1 ? text.slice(0, end).trim() : '', end, depth: deepest };
}
