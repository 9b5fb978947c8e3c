import { describe, expect, it } from 'vitest';
import { NdjsonDecoder } from '../../../../adapters/providers/wire/ndjson.ts';

/** The lines of a text, given byte by byte and as a whole. */
function decode(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const whole = new NdjsonDecoder();
  const all = [...whole.push(bytes), ...whole.end()].map(({ data }) => data);
  const single = new NdjsonDecoder();
  const pieces = Array.from(bytes, (byte) => single.push(Uint8Array.of(byte))).flat();
  expect([...pieces, ...single.end()].map(({ data }) => data)).toEqual(all);
  return all;
}

describe('NdjsonDecoder', () => {
  it.each([
    ['{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['{"a":1}\r\n\r\n\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['\ufeff{"a":"ü🧵"}\n', ['{"a":"ü🧵"}']],
    ['{"a":"\\n\\r"}\n', ['{"a":"\\n\\r"}']],
    ['<html>\n<body>\n', []],
    ['', []],
  ])('%j', (text, lines) => {
    expect(decode(text)).toEqual(lines);
  });

  it('gives up on a line that never ends', () => {
    const decoder = new NdjsonDecoder();
    const piece = new TextEncoder().encode('x'.repeat(1_000_000));
    expect(() => {
      for (let i = 0; i < 100; i += 1) decoder.push(piece);
    }).toThrow('too large');
  });
});
