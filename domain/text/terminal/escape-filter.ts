/** What is neither text nor one of tab, newline, carriage return and backspace begins here. */
const special = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** What ends a string (OSC, DCS, SOS, PM, APC). A line end does too, so that one without an end hides no more than a line. */
const stringEnd = /[\u0007\u0018\u001a\u001b\u009c\n]/g;

/** What begins a string behind an escape: DCS, SOS, OSC, PM, APC. */
const strings: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);

/** In which part of a sequence the next character stands. */
type State = 'text' | 'escape' | 'intermediate' | 'parameters' | 'control end' | 'string';

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

/** Where `pattern`, which is global, matches next; the end of `text` if nowhere. */
export function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** What begins with a control character in ordinary text; one alone is left out. */
function begun(code: number): State {
  switch (code) {
    case 0x1b:
      return 'escape';
    case 0x9b:
      return 'parameters';
    case 0x90:
    case 0x98:
    case 0x9d:
    case 0x9e:
    case 0x9f:
      return 'string';
    default:
      return 'text';
  }
}

/** The state after a character within a sequence; null if it does not belong to the sequence. */
function after(state: Exclude<State, 'text' | 'string'>, code: number): State | null {
  switch (state) {
    case 'escape':
      if (code === 0x5b) return 'parameters';
      if (strings.has(code)) return 'string';
      if (isBetween(code, 0x20, 0x2f)) return 'intermediate';
      return isBetween(code, 0x30, 0x7e) ? 'text' : null;
    case 'intermediate':
      if (isBetween(code, 0x20, 0x2f)) return 'intermediate';
      return isBetween(code, 0x30, 0x7e) ? 'text' : null;
    case 'parameters':
      if (isBetween(code, 0x30, 0x3f)) return 'parameters';
      if (isBetween(code, 0x20, 0x2f)) return 'control end';
      return isBetween(code, 0x40, 0x7e) ? 'text' : null;
    case 'control end':
      if (isBetween(code, 0x20, 0x2f)) return 'control end';
      return isBetween(code, 0x40, 0x7e) ? 'text' : null;
    default:
      return state satisfies never;
  }
}

/**
 * Takes the sequences that control a terminal out of text that arrives in pieces, and all control
 * characters but tab, newline, carriage return and backspace. Of a sequence that goes on in the next
 * piece only the state is kept, so that one without an end costs no memory; what of it is there at the
 * end of all text is gone.
 */
export class EscapeFilter {
  #state: State = 'text';

  push(chunk: string): string {
    const kept: string[] = [];
    for (let at = 0; at < chunk.length;) {
      if (this.#state === 'text') {
        const end = nextMatch(special, chunk, at);
        if (end > at) kept.push(chunk.slice(at, end));
        if (end < chunk.length) this.#state = begun(chunk.charCodeAt(end));
        at = end + 1;
      } else if (this.#state === 'string') {
        const end = nextMatch(stringEnd, chunk, at);
        const code = chunk.charCodeAt(end);
        if (end < chunk.length) this.#state = code === 0x1b ? 'escape' : 'text';
        at = code === 0x0a ? end : end + 1;
      } else {
        const next = after(this.#state, chunk.charCodeAt(at));
        this.#state = next ?? 'text';
        if (next !== null) at += 1;
      }
    }
    return kept.join('');
  }
}
