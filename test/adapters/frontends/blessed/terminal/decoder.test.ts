import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputDecoder } from '../../../../../adapters/frontends/blessed/terminal/decoder.ts';
import type { Input } from '../../../../../adapters/frontends/blessed/terminal/input.ts';

const key = (name: string): Input => ({ type: 'key', name });
const text = (typed: string): Input => ({ type: 'text', text: typed });
const paste = (pasted: string): Input => ({ type: 'paste', text: pasted });

/** Neighbouring texts as one: where a text is cut says nothing. */
function joined(inputs: readonly Input[]): Input[] {
  const all: Input[] = [];
  for (const input of inputs) {
    const last = all.at(-1);
    if (input.type === 'text' && last?.type === 'text') all[all.length - 1] = text(last.text + input.text);
    else all.push(input);
  }
  return all;
}

/** What comes of pieces, and of silence after them. */
function decoded(pieces: readonly string[]): Input[] {
  const decoder = new InputDecoder();
  const inputs = pieces.flatMap((piece) => decoder.push(piece));
  return joined([...inputs, ...decoder.flush(), ...decoder.flush()]);
}

const cases: [what: string, bytes: string, inputs: Input[]][] = [
  ['a letter', 'a', [text('a')]],
  ['several characters at once, as an input method sends them', '你好', [text('你好')]],
  ['a character of several parts', '👨‍👩‍👧e\u0301', [text('👨‍👩‍👧e\u0301')]],
  ['enter', '\r', [key('enter')]],
  ['a line feed', '\n', [key('ctrl+j')]],
  ['tab', '\t', [key('tab')]],
  ['shift+tab', '\u001b[Z', [key('shift+tab')]],
  ['backspace', '\u007f', [key('backspace')]],
  ['backspace of other terminals', '\b', [key('backspace')]],
  ['ctrl+space', '\u0000', [key('ctrl+space')]],
  ['ctrl+a', '\u0001', [key('ctrl+a')]],
  ['ctrl+c', '\u0003', [key('ctrl+c')]],
  ['ctrl+backslash', '\u001c', [key('ctrl+\\')]],
  ['ctrl+_', '\u001f', [key('ctrl+_')]],
  ['text around a key', 'ab\u0005cd', [text('ab'), key('ctrl+e'), text('cd')]],
  ['escape', '\u001b', [key('escape')]],
  ['escape twice', '\u001b\u001b', [key('escape'), key('escape')]],
  ['alt+enter', '\u001b\r', [key('alt+enter')]],
  ['alt+backspace', '\u001b\u007f', [key('alt+backspace')]],
  ['alt+b', '\u001bb', [key('alt+b')]],
  ['alt+shift+b', '\u001bB', [key('alt+shift+b')]],
  ['alt with a character of its own', '\u001bä', [key('alt+ä')]],
  ['alt with a character of two halves', '\u001b😀', [key('alt+😀')]],
  ['alt+ctrl+a', '\u001b\u0001', [key('ctrl+alt+a')]],
  ['alt+]', '\u001b]x', [key('alt+]'), text('x')]],
  ['alt+shift+p', '\u001bPx', [key('alt+shift+p'), text('x')]],
  ['up', '\u001b[A', [key('up')]],
  ['up in application mode', '\u001bOA', [key('up')]],
  ['ctrl+right', '\u001b[1;5C', [key('ctrl+right')]],
  ['ctrl+right of rxvt', '\u001bOc', [key('ctrl+right')]],
  ['shift+up of rxvt', '\u001b[a', [key('shift+up')]],
  ['alt+up of rxvt', '\u001b\u001b[A', [key('alt+up')]],
  ['ctrl+alt+shift+left', '\u001b[1;8D', [key('ctrl+alt+shift+left')]],
  ['home and end', '\u001b[H\u001b[F', [key('home'), key('end')]],
  ['home and end as numbers', '\u001b[1~\u001b[4~', [key('home'), key('end')]],
  ['delete', '\u001b[3~', [key('delete')]],
  ['ctrl+delete', '\u001b[3;5~', [key('ctrl+delete')]],
  ['shift+delete of rxvt', '\u001b[3$', [key('shift+delete')]],
  ['ctrl+delete of rxvt', '\u001b[3^', [key('ctrl+delete')]],
  ['page up and down', '\u001b[5~\u001b[6~', [key('pageup'), key('pagedown')]],
  ['f1 in four ways', '\u001bOP\u001b[11~\u001b[[A\u001b[P', [key('f1'), key('f1'), key('f1'), key('f1')]],
  ['shift+f3', '\u001b[1;2R', [key('shift+f3')]],
  ['f12', '\u001b[24~', [key('f12')]],
  ['enter and plus of the number pad', '\u001bOM\u001bOk', [key('enter'), text('+')]],
  ['shift+enter', '\u001b[13;2u', [key('shift+enter')]],
  ['shift+enter of xterm', '\u001b[27;2;13~', [key('shift+enter')]],
  ['a letter by its code', '\u001b[97u', [text('a')]],
  ['a capital by its code', '\u001b[97;2u', [text('A')]],
  ['a capital by caps lock', '\u001b[97;65u', [text('A')]],
  ['a sign with its shifted form', '\u001b[49:33;2u', [text('!')]],
  ['what was typed with a code', '\u001b[97;;229u', [text('å')]],
  ['a key that is held', '\u001b[97;1:2u', [text('a')]],
  ['a key that is let go', '\u001b[97;1:3u', []],
  ['an arrow that is let go', '\u001b[1;1:3A', []],
  ['shift alone', '\u001b[57441u', []],
  ['ctrl+c by its code', '\u001b[99;5u', [key('ctrl+c')]],
  ['ctrl+shift+c by its code', '\u001b[99;6u', [key('ctrl+shift+c')]],
  ['ctrl+/ by its code', '\u001b[47;5u', [key('ctrl+_')]],
  ['ctrl+i, which is not tab', '\u001b[105;5u', [key('ctrl+i')]],
  ['escape by its code', '\u001b[27u', [key('escape')]],
  ['space by its code', '\u001b[32u', [text(' ')]],
  ['alt+space', '\u001b[32;3u', [key('alt+space')]],
  ['super+v, which is the system’s', '\u001b[118;9u', []],
  [
    'the number pad by its codes',
    '\u001b[57401u\u001b[57414u\u001b[57419u',
    [text('2'), key('enter'), key('up')],
  ],
  ['a code that is no character', '\u001b[1114112u\u001b[55296u\u001b[5u', []],
  ['a press', '\u001b[<0;3;4M', [{ type: 'mouse', what: 'press', x: 2, y: 3 }]],
  ['a release', '\u001b[<0;3;4m', [{ type: 'mouse', what: 'release', x: 2, y: 3 }]],
  ['a drag', '\u001b[<32;300;4M', [{ type: 'mouse', what: 'move', x: 299, y: 3 }]],
  ['the wheel with ctrl', '\u001b[<81;1;1M', [{ type: 'mouse', what: 'wheel_down', x: 0, y: 0 }]],
  ['the right button', '\u001b[<2;3;4M\u001b[<2;3;4m', []],
  ['an old report of the mouse', '\u001b[M !!x', [text('x')]],
  ['a report of the mouse in rxvt', '\u001b[32;3;4Mx', [text('x')]],
  [
    'focus',
    '\u001b[I\u001b[O',
    [
      { type: 'focus', on: true },
      { type: 'focus', on: false },
    ],
  ],
  [
    'the background',
    '\u001b]11;rgb:ffff/8080/0000\u0007',
    [{ type: 'background', red: 255, green: 128, blue: 0 }],
  ],
  [
    'the background, short',
    '\u001b]11;rgb:f/8/0\u001b\\',
    [{ type: 'background', red: 255, green: 136, blue: 0 }],
  ],
  [
    'the background with alpha',
    '\u001b]11;rgba:00/00/ff/80\u001b\\',
    [{ type: 'background', red: 0, green: 0, blue: 255 }],
  ],
  ['another string', '\u001b]10;rgb:00/00/00\u0007\u001b]52;c;YQ==\u001b\\', []],
  ['what the terminal is', '\u001b[?62;c\u001b[>41;354;0c\u001b[=1c', []],
  ['its name', '\u001bP>|XTerm(380)\u001b\\', []],
  ['its state and modes', '\u001b[0n\u001b[?2026;1$y\u001b[?1u\u001b[4;2$y', []],
  ['where the cursor is', '\u001b[12;40R', []],
  ['its size', '\u001b[8;24;80t', []],
  ['a picture’s answer', '\u001b_Gi=1;OK\u001b\\', []],
  ['a paste', '\u001b[200~l1\rl2\nl3\r\n\tl4\u001b[201~', [paste('l1\nl2\nl3\n\tl4')]],
  ['an empty paste', '\u001b[200~\u001b[201~x', [text('x')]],
  ['keys around a paste', 'a\u001b[200~b\u001b[201~\r', [text('a'), paste('b'), key('enter')]],
  [
    'a paste with what controls a terminal',
    '\u001b[200~a\u001b[31mb\u0007c\u0000d\u001b]0;e\u0007f\u001b[201~',
    [paste('abcdf')],
  ],
  ['a paste within a paste', '\u001b[200~a\u001b[200~b\u001b[201~c', [paste('ab'), text('c')]],
  ['a paste with half of its end', '\u001b[200~a\u001b[201\u001b[20b\u001b[201~', [paste('a')]],
  ['an end without a beginning', '\u001b[201~a', [text('a')]],
  ['an escape before a report', '\u001b\u001b[I', [key('escape'), { type: 'focus', on: true }]],
  ['a sequence that breaks off', '\u001b[1;\u001b[A', [key('up')]],
  ['a string that breaks off with a key', '\u001b]11;rgb\u0003', [key('ctrl+c')]],
  ['a string that breaks off with a sequence', '\u001b]11;rgb\u001b[A', [key('up')]],
  ['controls of eight bits', 'a\u009bb', [text('ab')]],
  ['half of a character', 'a\ud83db', [text('a\ufffdb')]],
];

describe('what a terminal sends', () => {
  it.each(cases)('is known: %s', (_, bytes, inputs) => {
    expect(decoded([bytes])).toEqual(inputs);
  });

  it.each(cases)('may be cut anywhere: %s', (_, bytes, inputs) => {
    for (let at = 1; at < bytes.length; at += 1) {
      expect(decoded([bytes.slice(0, at), bytes.slice(at)]), `cut at ${at}`).toEqual(inputs);
    }
    expect(decoded(bytes.split('')), 'cut everywhere').toEqual(inputs);
  });
});

describe('a decoder of keys', () => {
  it('TUI-06 takes a paste with line ends for one paste, and the enter behind it for a key', () => {
    const decoder = new InputDecoder();
    expect(decoder.push('\u001b[200~l1\rl2\nl3\u001b[201~')).toEqual([paste('l1\nl2\nl3')]);
    expect(decoder.push('\r')).toEqual([key('enter')]);
  });

  it.each([
    '\u001b[<35;150;7M',
    '\u001b]11;rgb:0000/0000/0000\u0007',
    '\u001b[?62;c',
    '\u001b[I',
    '\u001b[O',
    '\u001b[12;40R',
  ])('TUI-10 types nothing of a reply that is late and cut: %j', (reply) => {
    for (let at = 1; at < reply.length; at += 1) {
      const decoder = new InputDecoder();
      const inputs = [
        ...decoder.push(reply.slice(0, at)),
        ...decoder.flush(),
        ...decoder.push(reply.slice(at)),
      ];
      const keys = inputs.filter(({ type }) => type === 'key' || type === 'text');
      // An escape that comes alone cannot be told from the key; what follows is known nevertheless.
      expect(keys, `cut at ${at}`).toEqual(at === 1 ? [key('escape')] : []);
      expect(decoder.waits).toBe(false);
    }
  });

  it('TUI-12 knows keys by their codes', () => {
    expect(decoded(['\u001b[97u'])).toEqual([text('a')]);
    expect(decoded(['\u001b[97;1:3u'])).toEqual([]);
    expect(decoded(['\u001b[13;2u', '\u001b[27;2;13~'])).toEqual([key('shift+enter'), key('shift+enter')]);
    expect(decoded(['\u001b[57441u'])).toEqual([]);
    expect(decoded(['\u001b[99;5u'])).toEqual([key('ctrl+c')]);
  });

  it('waits for the rest of what has begun, and for nothing else', () => {
    const decoder = new InputDecoder();
    const waits = (piece: string): boolean => {
      decoder.push(piece);
      return decoder.waits;
    };
    expect(['a', '\u001b', '[', '1', 'A', '\u001b[200~', 'a', '\u001b[201~'].map(waits)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('keeps a sequence through one silence and gives it up at the second', () => {
    const decoder = new InputDecoder();
    expect(decoder.push('\u001b[1;')).toEqual([]);
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push('5A')).toEqual([key('ctrl+up')]);
    decoder.push('\u001b]11;rgb:00');
    expect([...decoder.flush(), ...decoder.flush()]).toEqual([]);
    expect(decoder.push('abc')).toEqual([text('abc')]);
  });

  it('gives out a paste whose end was lost, and takes keys again', () => {
    const decoder = new InputDecoder();
    expect(decoder.push('\u001b[200~one')).toEqual([]);
    expect([...decoder.flush(), ...decoder.flush()]).toEqual([paste('one')]);
    expect(decoder.waits).toBe(false);
    expect(decoder.push('two\rthree')).toEqual([]);
    expect([...decoder.flush(), ...decoder.flush()]).toEqual([paste('two\nthree')]);
    expect(decoder.push('\u0003')).toEqual([key('ctrl+c')]);
    expect(decoder.push('y')).toEqual([text('y')]);
  });

  it('holds no more of a paste than some megabytes', () => {
    const decoder = new InputDecoder();
    decoder.push('\u001b[200~');
    const piece = 'x'.repeat(1_000_000);
    const early = Array.from({ length: 5 }, () => decoder.push(piece)).flat();
    expect(early).toHaveLength(1);
    const all = [...early, ...decoder.push('\u001b[201~')];
    expect(all.map((input) => (input.type === 'paste' ? input.text : '')).join('')).toBe(piece.repeat(5));
  });

  it('comes to an end with a sequence that has none', () => {
    const decoder = new InputDecoder();
    expect(decoder.push(`\u001b[${'1'.repeat(100_000)}`)).toEqual([]);
    expect(decoder.push('A')).toEqual([]);
    expect(decoder.push('b')).toEqual([text('b')]);
  });

  it('never gives control characters out, whatever comes', () => {
    const escapes = '\u001b [ ] O P < ; : 1 200~ 201~ M u \u0007 \\ ? $ 11;rgb:'.split(' ');
    const bits = escapes.concat(['a', '你', '\ud83d', '\ude00', '\u0003', '\u009b', '\u0000', '\r', '\n']);
    const anything = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...bits) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(anything, (pieces) => {
        const whole = decoded([pieces.join('')]);
        for (const input of whole) {
          if (input.type === 'text') expect(input.text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
          if (input.type === 'paste') expect(input.text).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
          if (input.type === 'key') expect(input.name).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        }
        expect(decoded(pieces)).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });
});
