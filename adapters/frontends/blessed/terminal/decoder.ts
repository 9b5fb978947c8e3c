import type { Input } from './input.ts';
import { altModifier, characterKey, controlInputs } from './decoding/key-names.ts';
import { Paste } from './decoding/paste.ts';
import { controlSequenceInputs, isRxvtShift, singleShiftInputs, stringInputs } from './decoding/sequence.ts';
import { wellFormed } from './decoding/well-formed.ts';

/** Characters of a sequence that are kept; none that means something is longer. */
const longestSequence = 1024;

/** What may follow `ESC [` and `ESC ]` for it to be the rest of a reply whose escape came alone. */
const restOfReply = /^(?:\[(?:<\d+;\d+;\d+[Mm]|\?[\d;]+\$?[A-Za-z]|[IO]|\d+;\d+R)|\]\d+;)/;

/** What the first character behind `ESC ]`, `ESC P` and `ESC _` is in replies of terminals. */
const stringStarts: Readonly<Record<string, RegExp>> = { ']': /\d/, P: /[\d>!$+=?]/, _: /G/ };

/** In which part of what a terminal sends the next character stands. */
type State = 'text' | 'escape' | 'control' | 'single shift' | 'old mouse' | 'string' | 'string end' | 'paste';

function isPrintable(code: number): boolean {
  return code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code <= 0x9f);
}

/**
 * What a terminal sends, as inputs. Pieces may be cut anywhere and give the same; what is not known is
 * nothing, and never text. Whoever feeds it calls `flush` some 30 ms after the last piece while it
 * `waits`, and again after a second: first a lone escape becomes a key, then what never came to an end
 * is given up.
 */
export class InputDecoder {
  private state: State = 'text';
  /** An escape in front of another one: alt, or a key by itself. */
  private meta = false;
  private sequence = '';
  private stringKind = '';
  private half = '';
  private paste = new Paste();
  private flushed = false;
  /** The last flush made a key of a lone escape. */
  private escaped = false;
  private inputs: Input[] = [];

  /** Something has begun that more must follow, or a `flush`. */
  get waits(): boolean {
    if (this.state === 'paste') return !this.paste.isEmpty;
    return this.state !== 'text' || this.half !== '';
  }

  push(chunk: string): Input[] {
    this.flushed = false;
    // The rest of a reply that was cut behind its escape is not typed.
    if (this.escaped && restOfReply.test(chunk)) this.state = 'escape';
    this.escaped = false;
    if (this.state === 'paste' && this.paste.isOver(chunk)) this.endPaste(this.paste.take());
    const text = this.half + chunk;
    this.half = '';
    for (let at = 0; at < text.length;) {
      if (this.state === 'text') at = this.readText(text, at);
      else if (this.state === 'paste') at = this.readPaste(text, at);
      else at = this.readSequence(text, at);
    }
    return this.take();
  }

  flush(): Input[] {
    const again = this.flushed;
    this.flushed = true;
    if (this.state === 'escape') {
      this.add(controlInputs(0x1b, false));
      if (this.meta) this.add(controlInputs(0x1b, false));
      this.reset();
      this.escaped = true;
    } else if (this.state === 'paste') {
      if (again) this.addPaste(this.paste.give());
    } else if (again) {
      this.abandon();
      this.half = '';
    }
    return this.take();
  }

  private take(): Input[] {
    const inputs = this.inputs;
    this.inputs = [];
    return inputs;
  }

  private add(inputs: readonly Input[]): void {
    for (const input of inputs) {
      const last = this.inputs.at(-1);
      if (input.type === 'text' && last?.type === 'text') {
        this.inputs[this.inputs.length - 1] = { type: 'text', text: last.text + input.text };
      } else {
        this.inputs.push(input);
      }
    }
  }

  private reset(): void {
    this.state = 'text';
    this.meta = false;
    this.sequence = '';
  }

  /** Forgets a sequence that is none; an escape in front of it was a key. */
  private abandon(): void {
    if (this.meta) this.add(controlInputs(0x1b, false));
    this.reset();
  }

  /** Ends a sequence with what it reports. */
  private end(inputs: readonly Input[]): void {
    const [only] = inputs;
    if (this.meta && inputs.length === 1 && only?.type === 'key') this.add(withAlt(only.name));
    else this.add(this.meta ? [...controlInputs(0x1b, false), ...inputs] : inputs);
    this.reset();
  }

  private readText(text: string, from: number): number {
    let at = from;
    while (at < text.length && isPrintable(text.charCodeAt(at))) at += 1;
    if (at > from) {
      const isCut = at === text.length && isHighSurrogate(text.charCodeAt(at - 1));
      if (isCut) this.half = text.slice(-1);
      const typed = text.slice(from, isCut ? -1 : at);
      if (typed !== '') this.add([{ type: 'text', text: wellFormed(typed) }]);
      return at;
    }
    const code = text.charCodeAt(at);
    if (code === 0x1b) this.state = 'escape';
    else if (code < 0x80) this.add(controlInputs(code, false));
    return at + 1;
  }

  private readPaste(text: string, from: number): number {
    const { text: pasted, end } = this.paste.push(text, from);
    if (end === null) {
      this.addPaste(pasted);
      return text.length;
    }
    this.endPaste(pasted);
    return end;
  }

  private addPaste(text: string): void {
    if (text !== '') this.add([{ type: 'paste', text }]);
  }

  private endPaste(text: string): void {
    this.addPaste(text);
    this.paste = new Paste();
    this.reset();
  }

  private readSequence(text: string, at: number): number {
    const code = text.charCodeAt(at);
    switch (this.state) {
      case 'escape':
        return this.readEscape(text, at, code);
      case 'old mouse':
        this.keep(text.charAt(at));
        // A button, a column and a row, of one character each.
        if (this.sequence.length >= 3) this.end([]);
        return at + 1;
      case 'string':
      case 'string end':
        return this.readString(text, at, code);
      default:
        return this.readControl(text, at, code);
    }
  }

  private keep(character: string): void {
    if (this.sequence.length < longestSequence) this.sequence += character;
  }

  private readEscape(text: string, at: number, code: number): number {
    const character = text.charAt(at);
    if (code === 0x1b) {
      if (this.meta) this.add(controlInputs(0x1b, false));
      this.meta = true;
      return at + 1;
    }
    if (character === '[') this.state = 'control';
    else if (character === 'O') this.state = 'single shift';
    else if (stringStarts[character] !== undefined) {
      this.state = 'string';
      this.stringKind = character;
    } else {
      return this.readAlt(text, at, code);
    }
    return at + 1;
  }

  /** A character behind an escape is that character with alt. */
  private readAlt(text: string, at: number, code: number): number {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (isHighSurrogate(code) && character.length === 1 && at + 1 === text.length) {
      this.half = text.slice(-1);
      return at + 1;
    }
    if (this.meta) this.add(controlInputs(0x1b, false));
    if (isPrintable(code)) this.add(characterKey(wellFormed(character), altModifier));
    else if (code < 0x80) this.add(controlInputs(code, true));
    this.reset();
    return at + character.length;
  }

  /** CSI and SS3: numbers, then what ends the sequence. */
  private readControl(text: string, at: number, code: number): number {
    const character = text.charAt(at);
    const isShift = this.state === 'single shift';
    const isLinux = !isShift && character === '[' && this.sequence === '';
    if (isLinux || (isShift ? /[\d;]/.test(character) : code >= 0x20 && code < 0x40)) {
      if (character === '$' && isRxvtShift(this.sequence))
        this.end(controlSequenceInputs(this.sequence, '$'));
      else this.keep(character);
      return at + 1;
    }
    if (code < 0x20 || code > 0x7e) {
      this.abandon();
      return at;
    }
    if (isShift) this.end(singleShiftInputs(this.sequence, character));
    else if (character === 'M' && this.sequence === '') this.state = 'old mouse';
    else if (character === '~' && this.sequence === '200') this.startPaste();
    else this.end(controlSequenceInputs(this.sequence, character));
    return at + 1;
  }

  private startPaste(): void {
    this.end([]);
    this.state = 'paste';
  }

  /** OSC, DCS and APC up to BEL or ST. A control character within ends it too: a key was pressed. */
  private readString(text: string, at: number, code: number): number {
    const character = text.charAt(at);
    if (this.state === 'string end') {
      if (character === '\\') this.end(stringInputs(this.stringKind, this.sequence));
      else {
        this.abandon();
        this.state = 'escape';
      }
      return character === '\\' ? at + 1 : at;
    }
    if (this.sequence === '' && stringStarts[this.stringKind]?.test(character) !== true) {
      // Not a reply, so it was a key with alt.
      const kind = this.stringKind;
      const isAlone = code === 0x1b;
      if (this.meta) this.add(controlInputs(0x1b, false));
      this.reset();
      this.add(characterKey(kind, altModifier));
      if (isAlone) this.state = 'escape';
      return isAlone ? at + 1 : at;
    }
    if (code === 0x1b) this.state = 'string end';
    else if (code === 0x07 || code === 0x9c) this.end(stringInputs(this.stringKind, this.sequence));
    else if (code < 0x20 || code === 0x7f) {
      this.abandon();
      return at;
    } else this.keep(character);
    return at + 1;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function withAlt(name: string): Input[] {
  if (name.includes('alt+')) return [{ type: 'key', name }];
  const ctrl = name.startsWith('ctrl+') ? 'ctrl+' : '';
  return [{ type: 'key', name: `${ctrl}alt+${name.slice(ctrl.length)}` }];
}
