import { createInterface } from 'node:readline/promises';
import { cleanTerminalText } from '../../domain/text/terminal/terminal-text.ts';

/** Puts a yes-or-no question to whoever sits at the terminal; null if nobody does. Nothing typed is a no. */
export function confirmer(): ((question: string) => Promise<boolean>) | null {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return null;
  return (question) => {
    const lines = createInterface({ input, output });
    return new Promise((resolve) => {
      // Ctrl-C and Ctrl-D.
      lines.once('close', () => resolve(false));
      lines.question(cleanTerminalText(question)).then(
        (answer) => {
          resolve(/^y(es)?$/i.test(answer.trim()));
          lines.close();
        },
        () => resolve(false),
      );
    });
  };
}
