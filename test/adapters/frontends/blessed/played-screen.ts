import { PassThrough, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import { BlessedFrontEnd, type BlessedOptions } from '../../../../adapters/frontends/blessed/front-end.ts';

/** The full-screen UI at a terminal of this process, which a test types at and reads. */
export interface PlayedScreen {
  frontEnd: BlessedFrontEnd;
  type(text: string): void;
  /** Resolves when the screen has this text, or, with `gone`, has it no more. */
  seen(text: string | RegExp, gone?: 'gone'): Promise<void>;
  rows(): string[];
  /** Lets so many milliseconds go by, as far as the screen can tell. */
  pass(ms: number): void;
}

const patience = 5000;

/** 80 columns by 24 rows of a terminal that knows 16 colours; the first frame is on its way. */
export function playedScreen(options: Pick<BlessedOptions, 'host'> & Partial<BlessedOptions>): PlayedScreen {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  const rows = (): string[] =>
    Array.from(
      { length: 24 },
      (_, y) =>
        terminal.buffer.active.getLine(terminal.buffer.active.viewportY + y)?.translateToString(true) ?? '',
    );
  const waiting = new Set<() => void>();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      terminal.write(chunk, () => {
        done();
        for (const look of waiting) look();
      });
    },
  });
  const stdout = Object.assign(out, { isTTY: true, columns: 80, rows: 24 });
  let passed = 0;
  const frontEnd = new BlessedFrontEnd({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    env: { TERM: 'xterm', LANG: 'C.UTF-8' },
    now: () => performance.timeOrigin + performance.now() + passed,
    ...options,
  });
  frontEnd.start();
  return {
    frontEnd,
    type: (text) => void stdin.write(text),
    seen(text, gone) {
      const has = (): boolean => {
        const shown = rows().join('\n');
        return typeof text === 'string' ? shown.includes(text) : text.test(shown);
      };
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = (): void => {
          if (has() === (gone !== undefined)) return;
          end();
          resolve();
        };
        const timer = setTimeout(() => {
          end();
          reject(
            new Error(
              `${gone === undefined ? 'not seen' : 'still there'}: ${String(text)}\n${rows().join('\n')}`,
            ),
          );
        }, patience);
        waiting.add(look);
        look();
      });
    },
    rows,
    pass: (ms) => void (passed += ms),
  };
}
