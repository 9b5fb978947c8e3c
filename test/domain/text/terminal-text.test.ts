import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTerminalText, TerminalText } from '../../../domain/text/terminal-text.ts';

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

describe('TerminalText', () => {
  it('gives the same in pieces as in one', () => {
    const text = fc.string({
      unit: fc.constantFrom('\u001b[1m', '\u001b]0;x\u0007', 'a', '\r', '\n', 'é', '\t'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (one, size) => {
        const stream = new TerminalText();
        let out = '';
        for (let at = 0; at < one.length; at += size) out += stream.push(one.slice(at, at + size));
        expect(out + stream.end()).toBe(cleanTerminalText(one));
      }),
    );
  });

  it('does not hold a line for ever', () => {
    const stream = new TerminalText();
    expect(stream.push('x'.repeat(20_000)).length).toBe(20_000);
    expect(stream.push(`\u001b[3`)).toBe('');
    expect(stream.push('1my\n') + stream.end()).toBe('y\n');
  });
});
