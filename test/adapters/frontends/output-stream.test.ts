import fc from 'fast-check';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OutputStream } from '../../../adapters/frontends/output-stream.ts';

class Sink extends Writable {
  text = '';
  constructor(readonly isTTY: boolean) {
    super({ decodeStrings: false });
  }
  override _write(text: string, _encoding: string, callback: () => void): void {
    this.text += text;
    callback();
  }
}

async function written(pieces: readonly string[], isTerminal = true): Promise<string> {
  const sink = new Sink(isTerminal);
  const stream = new OutputStream(sink);
  for (const piece of pieces) void stream.write(piece);
  await stream.flush();
  return sink.text;
}

describe('an output stream', () => {
  it('lets no control character but tab and newline onto a terminal, in any pieces', async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '\u001b',
        '[',
        ']',
        '2',
        'J',
        ';',
        '\\',
        '\r',
        '\n',
        '\t',
        '\b',
        '\u0007',
        '\u009b',
        'a',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 30 }), async (pieces) => {
        const text = await written(pieces);
        expect(text).not.toMatch(/[^\P{Cc}\t\n]/u);
        expect(await written([pieces.join('')])).toBe(text);
      }),
    );
  });

  it('takes out a sequence that comes in pieces, and keeps the text', async () => {
    expect(await written(['A\u001b', ']52;c;QU', 'FB\u0007B\r\n', '\u001b[3', '1mC'])).toBe('AB\nC');
  });

  it('gives a pipe what it is given', async () => {
    expect(await written(['a\u001b[2J\r\n'], false)).toBe('a\u001b[2J\r\n');
  });

  it('wipes a line on a terminal only', async () => {
    const sinks = [new Sink(true), new Sink(false)];
    for (const sink of sinks) await new OutputStream(sink).wipeLine();
    expect(sinks.map(({ text }) => text)).toEqual(['\r\u001b[2K', '']);
  });
});
