import type { Input } from '../input.ts';
import {
  codeInputs,
  ctrlModifier,
  keyInputs,
  letterKeys,
  padLetters,
  shiftModifier,
  tildeKeys,
} from './key-names.ts';

/** One number of a sequence with what stands behind its colons; 0 is a part that is empty. */
type Parameter = readonly number[];

function parametersOf(text: string): Parameter[] {
  return text.split(';').map((parameter) => parameter.split(':').map((part) => Number(part) || 0));
}

/** Modifiers without the one that the protocols add; null if the key was let go. */
function modifiersOf(parameter: Parameter | undefined): number | null {
  const [modifiers = 1, event = 1] = parameter ?? [];
  return event === 3 ? null : Math.max(0, modifiers - 1) & 0xff;
}

function typedText(codes: Parameter | undefined): string {
  return (codes ?? [])
    .filter((code) => code >= 0x20 && !(code >= 0x7f && code <= 0x9f) && code <= 0x10_ffff)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .join('');
}

function kittyKey([key, modifiers, text]: readonly Parameter[]): Input[] {
  const held = modifiersOf(modifiers);
  return held === null ? [] : codeInputs(key?.[0] ?? 0, held, key?.[1] || null, typedText(text));
}

function namedKey(name: string | undefined, modifiers: Parameter | undefined): Input[] {
  const held = modifiersOf(modifiers);
  return name === undefined || held === null ? [] : keyInputs(name, held);
}

function tildeKey([key, modifiers, code]: readonly Parameter[]): Input[] {
  if (key?.[0] === 27) return codeInputs(code?.[0] ?? 0, modifiersOf(modifiers) ?? 0, null, '');
  return namedKey(tildeKeys[key?.[0] ?? 0], modifiers);
}

/** The left button and the wheel; other buttons are the terminal's (pasting, menus). */
function mouseInputs(text: string, isRelease: boolean): Input[] {
  const [button, column, row] = text.split(';').map(Number);
  if (button === undefined || !column || !row) return [];
  const at = { x: column - 1, y: row - 1 };
  // Without the bits of shift, alt and ctrl.
  switch (button & ~(4 | 8 | 16)) {
    case 0:
      return [{ type: 'mouse', what: isRelease ? 'release' : 'press', ...at }];
    case 32:
    case 35:
      return [{ type: 'mouse', what: 'move', ...at }];
    case 64:
      return isRelease ? [] : [{ type: 'mouse', what: 'wheel_up', ...at }];
    case 65:
      return isRelease ? [] : [{ type: 'mouse', what: 'wheel_down', ...at }];
    default:
      return [];
  }
}

/** rxvt's last letters in place of `~`. */
const rxvtModifiers: Readonly<Record<string, number>> = {
  $: shiftModifier,
  '^': ctrlModifier,
  '@': shiftModifier | ctrlModifier,
};

/** A lone `$` ends the key of an rxvt; in reports it stands behind two numbers. */
export function isRxvtShift(body: string): boolean {
  return tildeKeys[body] !== undefined;
}

/**
 * What `CSI body final` reports: a key, the mouse, the focus. Replies to questions and what is not known
 * are nothing.
 */
export function controlSequenceInputs(body: string, final: string): Input[] {
  if (body.startsWith('<')) {
    return /^<\d+;\d+;\d+$/.test(body) && (final === 'M' || final === 'm')
      ? mouseInputs(body.slice(1), final === 'm')
      : [];
  }
  // The Linux console: `CSI [ A` to `CSI [ E`.
  if (body === '[') return /[A-E]/.test(final) ? keyInputs(`f${final.charCodeAt(0) - 64}`, 0) : [];
  if (!/^[\d:;]*$/.test(body)) return [];
  const parameters = parametersOf(body);
  const [first, second] = parameters;
  switch (final) {
    case 'I':
    case 'O':
      return body === '' ? [{ type: 'focus', on: final === 'I' }] : [];
    case 'Z':
      return keyInputs('tab', (modifiersOf(second) ?? 0) | shiftModifier);
    case 'u':
      return body === '' ? [] : kittyKey(parameters);
    case '~':
      return tildeKey(parameters);
    case '$':
    case '^':
    case '@':
      return namedKey(tildeKeys[body], [(rxvtModifiers[final] ?? 0) + 1]);
    case 'a':
    case 'b':
    case 'c':
    case 'd':
      return body === '' ? keyInputs(letterKeys[final.toUpperCase()] ?? '', shiftModifier) : [];
    default:
      // A number other than 1 in front is not a key but a report, such as where the cursor is.
      return parameters.length <= 2 && (first?.[0] ?? 0) <= 1 ? namedKey(letterKeys[final], second) : [];
  }
}

/** What `SS3 body final` reports: keys in application mode, some with modifiers in front. */
export function singleShiftInputs(body: string, final: string): Input[] {
  const held = body === '' ? 0 : (modifiersOf(parametersOf(body).at(-1)) ?? 0);
  if (final === 'M') return keyInputs('enter', held);
  if (final === 'I') return keyInputs('tab', held);
  if (final === ' ') return [{ type: 'text', text: ' ' }];
  if (/[a-d]/.test(final)) return keyInputs(letterKeys[final.toUpperCase()] ?? '', held | ctrlModifier);
  const name = letterKeys[final];
  if (name !== undefined) return keyInputs(name, held);
  const text = padLetters[final];
  return text === undefined ? [] : [{ type: 'text', text }];
}

/** Parts of a colour have one to four hexadecimal digits each. */
function channelOf(digits: string): number {
  const most = 16 ** digits.length - 1;
  return Math.round((Number.parseInt(digits, 16) / most) * 255);
}

/** What a string from the terminal (OSC or DCS, without its end) says: its background, or nothing. */
export function stringInputs(kind: string, body: string): Input[] {
  if (kind !== ']') return [];
  const colour = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(body);
  if (colour === null) return [];
  const [red, green, blue] = colour.slice(1).map(channelOf);
  return [{ type: 'background', red: red ?? 0, green: green ?? 0, blue: blue ?? 0 }];
}
