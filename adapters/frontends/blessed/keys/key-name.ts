import { graphemesOf } from '../text/cells.ts';

/** Keys with a name of their own (`terminal/input.ts`). */
const named = new Set(
  'enter tab escape backspace delete up down left right home end pageup pagedown insert space f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12'.split(
    ' ',
  ),
);

/** What else people call them. */
const aliases: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  ret: 'enter',
  cr: 'enter',
  del: 'delete',
  ins: 'insert',
  bs: 'backspace',
  spc: 'space',
  ' ': 'space',
  pgup: 'pageup',
  pageup: 'pageup',
  page_up: 'pageup',
  prior: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  page_down: 'pagedown',
  next: 'pagedown',
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
};

const modifiers: Readonly<Record<string, 'ctrl' | 'alt' | 'shift'>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  c: 'ctrl',
  alt: 'alt',
  option: 'alt',
  opt: 'alt',
  meta: 'alt',
  m: 'alt',
  shift: 'shift',
  s: 'shift',
};

/** What nearly all terminals send for these is another key, or the decoder takes for it. */
const sameAs: Readonly<Record<string, string>> = {
  'ctrl+i': 'tab',
  'ctrl+m': 'enter',
  'ctrl+[': 'escape',
  'ctrl+/': 'ctrl+_',
  'ctrl+shift+-': 'ctrl+_',
};

/**
 * The name that the terminal's decoder gives a key, from one that people write: `Ctrl-C`, `C-c`, `^c`,
 * `ctrl+c`; `esc`, `Return`. Null: no terminal sends such a key.
 */
export function keyNamed(written: string): string | null {
  let rest = written.trim() === '' && written !== '' ? ' ' : written.trim();
  const held = new Set<string>();
  if (/^\^./u.test(rest)) {
    held.add('ctrl');
    rest = rest.slice(1);
  }
  for (;;) {
    const [whole = '', word = ''] = /^([a-z]+) *[+-] *(?=\S)/i.exec(rest) ?? [];
    const modifier = Object.hasOwn(modifiers, word.toLowerCase()) ? modifiers[word.toLowerCase()] : undefined;
    if (modifier === undefined) break;
    held.add(modifier);
    rest = rest.slice(whole.length);
  }
  const lower = rest.toLowerCase();
  const key = Object.hasOwn(aliases, lower) ? (aliases[lower] ?? lower) : lower;
  if (!named.has(key) && !isCharacter(key)) return null;
  const name = [...['ctrl', 'alt', 'shift'].filter((each) => held.has(each)), key].join('+');
  return sameAs[name] ?? name;
}

function isCharacter(key: string): boolean {
  return [...graphemesOf(key)].length === 1 && !/[\p{C}\p{Z}]/u.test(key);
}

/** Whether a key, by its decoder's name, types something. */
export function isTyping(name: string): boolean {
  const key = name.replace(/^shift\+(?=.)/u, '');
  return key === 'space' || isCharacter(key);
}

const shown: Readonly<Record<string, string>> = {
  escape: 'esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

/** A key as people read it: `esc`, `PgUp`, `alt+↑`; in ASCII the arrows by name. */
export function shownKey(name: string, ascii = false): string {
  const [, held = '', key = name] = /^((?:ctrl\+|alt\+|shift\+)*)(.+)$/su.exec(name) ?? [];
  const sign = Object.hasOwn(shown, key) ? (shown[key] ?? key) : key;
  return held + (ascii && /[^ -~]/.test(sign) ? key : sign);
}
