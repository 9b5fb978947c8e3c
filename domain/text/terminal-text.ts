// Strings (OSC, DCS, SOS, PM, APC) end with BEL or ST; a line end ends them as well, so that one that
// never ends cannot hide what comes after it.
const strings =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c|(?=[\u001b\n])|$)/g;
const controlSequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const escapes = /\u001b[ -/]*[0-~]?/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const anyControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** A sequence at the end of a chunk that may go on in the next. */
const unfinished =
  /(?:(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*\u001b?|(?:\u001b\[|\u009b)[0-?]*[ -/]*|\u001b[ -/]*)$/;

/** What holds more than this without a line end is passed on as it is. */
const longestHeld = 16_384;

/** The last state of a line that carriage returns drew several times. */
function lastState(line: string): string {
  const states = line.split('\r').filter((state) => state !== '');
  return states.at(-1) ?? '';
}

function rubOut(line: string): string {
  const kept: string[] = [];
  for (const char of line) {
    if (char === '\b') kept.pop();
    else kept.push(char);
  }
  return kept.join('');
}

/**
 * What a terminal would show of `text`, as plain text: control sequences are gone, progress bars are
 * folded to their last state, of the control characters only tab and newline are left
 * (spec: tools, "Output cap").
 */
export function cleanTerminalText(text: string): string {
  if (!anyControl.test(text)) return text;
  const plain = text.replace(strings, '').replace(controlSequences, '').replace(escapes, '');
  return plain
    .split('\n')
    .map((line) => {
      const folded = line.includes('\r') ? lastState(line) : line;
      return (folded.includes('\b') ? rubOut(folded) : folded).replace(controls, '');
    })
    .join('\n');
}

/** Cleans text that arrives in pieces. Gives out whole lines; `end` gives the rest. */
export class TerminalText {
  #held = '';

  push(chunk: string): string {
    const text = this.#held + chunk;
    const lineEnd = text.lastIndexOf('\n') + 1;
    this.#held = text.slice(lineEnd);
    let ready = text.slice(0, lineEnd);
    if (this.#held.length > longestHeld) {
      const rest = unfinished.exec(this.#held)?.[0] ?? '';
      const kept = rest.length > longestHeld ? '' : rest;
      ready += this.#held.slice(0, this.#held.length - kept.length);
      this.#held = kept;
    }
    return cleanTerminalText(ready);
  }

  end(): string {
    const rest = this.#held;
    this.#held = '';
    return cleanTerminalText(rest);
  }
}
