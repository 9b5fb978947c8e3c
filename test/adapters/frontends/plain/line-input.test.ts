import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineInput, withoutErased } from '../../../../adapters/frontends/plain/line-input.ts';

function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  let shown = '';
  const said: string[] = [];
  const stdout = { isTTY: true, columns: 80, write: (text: string) => (shown += text) };
  const input = new LineInput(stdin, stdout, {
    stray: (line) => void said.push(`stray ${line}`),
    interrupt: () => void said.push('interrupt'),
    end: () => void said.push('end'),
  });
  const type = (text: string) =>
    new Promise<void>((resolve) => {
      stdin.write(text);
      setImmediate(() => setImmediate(resolve));
    });
  return { input, type, said, shown: () => shown };
}

const never = new AbortController().signal;

describe('lines', () => {
  it('go to whoever waits; others are told, as are ctrl+c and ctrl+d', async () => {
    const { input, type, said } = terminal();
    const line = input.next('> ', never);
    await type('hi\rlater\r');
    expect(await line).toBe('hi');
    await type('\u0003');
    await type('\u0004');
    expect(said).toEqual(['stray later', 'interrupt', 'end']);
    expect(await input.next('> ', never)).toBeNull();
  });

  it('do not show a secret', async () => {
    const { input, type, shown } = terminal();
    const line = input.next('key: ', never, true);
    await type('s3cret\r');
    expect(await line).toBe('s3cret');
    expect(shown()).toContain('key: ');
    expect(shown()).not.toContain('s3');
    input.close();
  });

  it('forget what was begun', async () => {
    const { input, type } = terminal();
    await type('ye');
    input.forget();
    const line = input.next('> ', never);
    await type('no\r');
    expect(await line).toBe('no');
    input.close();
  });

  it('are given up with the signal', async () => {
    const { input } = terminal();
    const abort = new AbortController();
    const line = input.next('> ', abort.signal);
    abort.abort();
    expect(await line).toBeNull();
    input.close();
  });

  it('lose what was taken back on a dumb terminal', () => {
    expect(withoutErased('maek\u007f\u007fke 👍🏽\b!')).toBe('make !');
    expect(withoutErased('\u007f\u007fa')).toBe('a');
  });
});
