import type { Input } from '../input.ts';

/** Bits of the modifiers, as xterm and kitty report them plus one. */
const shiftBit = 1;
const altBit = 2;
const ctrlBit = 4;
/** Super and hyper: keys of the window manager, which type nothing and which no setting names. */
const foreignBits = 8 | 16;
const metaBit = 32;
const capsBit = 64;

/** Names of what `CSI code ~` reports: the Linux console, rxvt and xterm. */
export const tildeKeys: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Names by the last letter of `CSI … letter` and `SS3 letter`. */
export const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** What a key of the number pad types in application mode, by the letter behind SS3. */
export const padLetters: Readonly<Record<string, string>> = {
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

/** Keys that type nothing, by their code points in the kitty protocol. */
const codeKeys: ReadonlyMap<number, string> = new Map([
  [8, 'backspace'],
  [9, 'tab'],
  [13, 'enter'],
  [27, 'escape'],
  [127, 'backspace'],
  ...['escape', 'enter', 'tab', 'backspace', 'insert', 'delete', 'left', 'right', 'up', 'down']
    .concat(['pageup', 'pagedown', 'home', 'end'])
    .map((name, at): [number, string] => [57_344 + at, name]),
  ...Array.from({ length: 12 }, (_, at): [number, string] => [57_364 + at, `f${at + 1}`]),
  [57_414, 'enter'],
  ...['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end', 'insert', 'delete'].map(
    (name, at): [number, string] => [57_417 + at, name],
  ),
]);

/** What keys of the number pad type, from code 57399 on; the key 57414 is enter. */
const padTexts = [...'0123456789./*-+\u0000=,'];
const firstPadCode = 57_399;

function textOfCode(code: number): string | null {
  const pad = padTexts[code - firstPadCode];
  if (pad !== undefined) return pad;
  const isPrivate = code >= 0xe000 && code <= 0xf8ff;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  return isPrivate || isHalf || isControl || code > 0x10_ffff ? null : String.fromCodePoint(code);
}

/** The same key under one name, whichever protocol reports it. */
const aliases: Readonly<Record<string, string>> = {
  'ctrl+/': 'ctrl+_',
  'ctrl+shift+-': 'ctrl+_',
  'ctrl+shift+_': 'ctrl+_',
  'ctrl+shift+/': 'ctrl+_',
};

/** A key with modifiers (bits as reported, less one), or nothing if it is one of the window manager's. */
export function keyInputs(name: string, modifiers: number): Input[] {
  if ((modifiers & foreignBits) !== 0) return [];
  const ctrl = (modifiers & ctrlBit) === 0 ? '' : 'ctrl+';
  const alt = (modifiers & (altBit | metaBit)) === 0 ? '' : 'alt+';
  const shift = (modifiers & shiftBit) === 0 ? '' : 'shift+';
  const full = `${ctrl}${alt}${shift}${name}`;
  return [{ type: 'key', name: aliases[full] ?? full }];
}

/**
 * A key reported by its code point (kitty's protocol, xterm's modifyOtherKeys): what types a character
 * without ctrl or alt is text. `shifted` is the character with shift, `text` what is typed, if reported.
 */
export function codeInputs(code: number, modifiers: number, shifted: number | null, text: string): Input[] {
  const named = codeKeys.get(code);
  if (named !== undefined) return keyInputs(named, modifiers);
  const character = textOfCode(code);
  if (character === null || (modifiers & foreignBits) !== 0) return [];
  const isShift = (modifiers & shiftBit) !== 0;
  if ((modifiers & (ctrlBit | altBit | metaBit)) === 0) {
    if (text !== '') return [{ type: 'text', text }];
    const isUpper = isShift !== ((modifiers & capsBit) !== 0);
    const upper = (shifted === null ? null : textOfCode(shifted)) ?? character.toUpperCase();
    return [{ type: 'text', text: isUpper ? upper : character }];
  }
  return characterKey(character, modifiers);
}

/** A character with modifiers as a key; a capital letter is its small one with shift. */
export function characterKey(character: string, modifiers: number): Input[] {
  const small = character.toLowerCase();
  const shift = small === character ? 0 : shiftBit;
  return keyInputs(small === ' ' ? 'space' : small, modifiers | shift);
}

/** A control character (below 32, or 127) as the key that sends it; `alt`: an escape came before it. */
export function controlInputs(code: number, alt: boolean): Input[] {
  const modifiers = alt ? altBit : 0;
  switch (code) {
    case 0x00:
      return keyInputs('space', modifiers | ctrlBit);
    case 0x08:
    case 0x7f:
      return keyInputs('backspace', modifiers);
    case 0x09:
      return keyInputs('tab', modifiers);
    case 0x0d:
      return keyInputs('enter', modifiers);
    case 0x1b:
      return keyInputs('escape', modifiers);
    default:
      return keyInputs(String.fromCharCode(code + 0x40).toLowerCase(), modifiers | ctrlBit);
  }
}

export const altModifier = altBit;
export const shiftModifier = shiftBit;
export const ctrlModifier = ctrlBit;
