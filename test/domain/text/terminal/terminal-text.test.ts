import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTerminalText, TerminalText } from '../../../../domain/text/terminal/terminal-text.ts';

describe('cleanTerminalText', () => {
  it.each([
    ['plain text', 'a\tb\nc', 'a\tb\nc'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a title', 'a\u001b]0;T\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a device string', 'a\u001bP1;2q\u001b\\b', 'ab'],
    ['eight-bit sequences', 'a\u009b31mb\u009d0;T\u009cc', 'abc'],
    ['a charset', '\u001b(Ba', 'a'],
    ['a title that never ends', 'a\u001b]0;T\nb', 'a\nb'],
    ['a progress bar', '\r1%\r2%\r100%\n', '100%\n'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['a bar that is wiped at the end', '50%\r\u001b[K\n', '50%\n'],
    ['overstrikes', 'N\bNA\bA', 'NA'],
    ['other controls', 'a\u0000\u0007\u000b\u007fb', 'ab'],
    ['an escape at the end', 'a\u001b', 'a'],
    ['an unfinished sequence at the end', 'a\u001b[3', 'a'],
  ])('cleans %s', (_, text, expected) => {
    expect(cleanTerminalText(text)).toBe(expected);
  });

  it('leaves no control but tab and newline, whatever comes', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '\u001b',
        '[',
        ']',
        '0',
        ';',
        'm',
        'P',
        '\\',
        '\u0007',
        '\r',
        '\n',
        '\b',
        'a',
        '\u009b',
      ),
      maxLength: 40,
    });
    fc.assert(fc.property(text, (one) => !/[^\P{Cc}\t\n]/u.test(cleanTerminalText(one))));
  });
});

/** Pieces of text as hostile programs write it, halves of characters among them. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '[', ']', '0', ';', '?', ' ', 'm', 'P', '\\', '\u0007', '\r', '\n', '\b', '\t'),
    fc.constantFrom('\u009b', '\u009d', '\u009c', '\u0090', '\u0018', '\u007f', '\u0000', 'a', 'é', '👍'),
    fc.constantFrom('\u001b[1m', '\u001b]0;x\u0007', '\ud83d', '\udc4d', '\u001b(0', 'x'.repeat(9000)),
  ),
  maxLength: 40,
});
const cuts = fc.array(fc.nat(60), { maxLength: 12 });

function inPieces(text: string, lengths: readonly number[]): string {
  const stream = new TerminalText();
  let out = '';
  let at = 0;
  for (const length of lengths) {
    out += stream.push(text.slice(at, at + length));
    at += length;
  }
  return out + stream.push(text.slice(at)) + stream.end();
}

describe('TerminalText', () => {
  it('gives the same in any pieces as in one', () => {
    fc.assert(
      fc.property(hostile, cuts, (text, lengths) => {
        expect(inPieces(text, lengths)).toBe(cleanTerminalText(text));
      }),
    );
  });

  it('keeps text that nothing draws over, in order', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', '\t', '\n', 'é', '👍'), { maxLength: 30 });
    const gone = fc.constantFrom(
      '\u001b[2J',
      '\u001b]52;c;x\u0007',
      '\u009b1m',
      '\u0007',
      '\u001bPq\u001b\\',
    );
    fc.assert(
      fc.property(plain, gone, (parts, sequence) => {
        expect(inPieces(parts.join(sequence), [3, 1, 4, 1, 5])).toBe(parts.join(''));
      }),
    );
  });

  it('does not hold a line for ever', () => {
    const stream = new TerminalText();
    expect(stream.push('x'.repeat(40_000)).length).toBeGreaterThan(20_000);
    expect(stream.push(`\u001b[3`)).toBe('');
    expect(stream.push('1my\n') + stream.end()).toMatch(/^x{0,20000}y\n$/);
  });

  it('holds nothing of a sequence without an end', () => {
    const stream = new TerminalText();
    const piece = 'A'.repeat(1_000_000);
    const before = process.memoryUsage().heapUsed;
    let out = stream.push('before \u001b]52;c;');
    for (let i = 0; i < 100; i += 1) out += stream.push(piece);
    expect(out + stream.end()).toBe('before ');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });

  it.each(['\b', '\r', 'a\b', '\u001b', '\u001b[', '\u001b]', '\ud83d', '\u009b1;', 'ab\r', '\u001b\n'])(
    'takes time in proportion to the length: %j',
    (unit) => {
      const begun = performance.now();
      const text = `${'x'.repeat(16_000)}${unit.repeat(300_000 / unit.length)}`;
      cleanTerminalText(text);
      expect(performance.now() - begun).toBeLessThan(3_000);
    },
  );
});
