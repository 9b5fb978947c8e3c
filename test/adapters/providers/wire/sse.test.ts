import { describe, expect, it } from 'vitest';
import { SseDecoder, type SseEvent } from '../../../../adapters/providers/wire/sse.ts';

/** The events of a text, given byte by byte and as a whole. */
function decode(text: string): SseEvent[] {
  const bytes = new TextEncoder().encode(text);
  const whole = new SseDecoder();
  const all = [...whole.push(bytes), ...whole.end()];
  const single = new SseDecoder();
  const pieces = Array.from(bytes, (byte) => single.push(Uint8Array.of(byte))).flat();
  expect([...pieces, ...single.end()]).toEqual(all);
  return all;
}

const data = (text: string): SseEvent => ({ event: null, data: text });

describe('SseDecoder', () => {
  it.each([
    ['data: a\n\ndata: b\n\n', [data('a'), data('b')]],
    ['data: a\r\n\r\ndata: b\r\n\r\n', [data('a'), data('b')]],
    ['data: a\r\rdata: b\r\r', [data('a'), data('b')]],
    ['\ufeffdata: a\n\n', [data('a')]],
    [': comment\n\n: more\ndata:a\n\n', [data('a')]],
    ['data: a\ndata:  b\n\n', [data('a\n b')]],
    ['event: error\nid: 1\nretry: 5\ndata: ü🧵\n\n', [{ event: 'error', data: 'ü🧵' }]],
    ['event: ping\n\ndata\n\ndata: \n\n', []],
    ['data: a\n\ndata: no blank line after', [data('a'), data('no blank line after')]],
  ])('%j', (text, events) => {
    expect(decode(text)).toEqual(events);
  });

  it('takes a long line in small pieces no slower than as a whole', () => {
    const decoder = new SseDecoder();
    decoder.push(new TextEncoder().encode('data: '));
    const piece = new TextEncoder().encode('x'.repeat(100));
    // Seconds instead of milliseconds if each piece looks at all before it.
    const begun = performance.now();
    for (let i = 0; i < 10_000; i += 1) decoder.push(piece);
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(decoder.end()).toEqual([data('x'.repeat(1_000_000))]);
  });

  it('gives up on an event that never ends, even one of empty lines', () => {
    const decoder = new SseDecoder();
    const lines = new TextEncoder().encode('data:\n'.repeat(100_000));
    expect(() => {
      for (let i = 0; i < 1000; i += 1) decoder.push(lines);
    }).toThrow('too large');
  });
});
