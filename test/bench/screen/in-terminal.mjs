import { spawn } from '@lydell/node-pty';

/** Milliseconds after which what does not come is not waited for any more. */
const patience = 120_000;

/**
 * Starts a Node program in a terminal of 120×40. Nothing is made of what it writes but looked for texts in
 * it: an emulator would take time from the program. Nothing answers what it asks of the terminal either.
 */
export function startInTerminal(args, { env, cwd }) {
  const began = performance.now();
  const pty = spawn(process.execPath, args, {
    cols: 120,
    rows: 40,
    cwd,
    env: { ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
  });
  const wanted = new Map();
  let end = '';
  let hasEnded = false;
  const ended = new Promise((resolve) => pty.onExit(resolve)).then(() => (hasEnded = true));
  pty.onData((data) => {
    const at = performance.now();
    // A text may be cut in two.
    const text = end + data;
    end = text.slice(-100);
    for (const [each, tell] of wanted) {
      if (!text.includes(each)) continue;
      wanted.delete(each);
      tell(at);
    }
  });
  return {
    pid: pty.pid,
    began,
    ended,
    type: (text) => pty.write(text),
    /** When this text is written next, by `performance.now()`. */
    seen: (text) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`not seen: ${text}`)), patience);
        wanted.set(text, (at) => {
          clearTimeout(late);
          resolve(at);
        });
      }),
    /** Ends it by a key, so that it keeps what it has compiled for the next start; or by force. */
    async leave() {
      const force = setTimeout(() => pty.kill('SIGKILL'), 5000);
      if (!hasEnded) pty.write('\u0015\u0004');
      await ended;
      clearTimeout(force);
    },
  };
}
