import { spawn } from 'node:child_process';

/** The user's editor, as the environment names it; it may come with arguments. Null: it names none. */
export function editorOf(env: Readonly<Record<string, string | undefined>>): string | null {
  const named = [env['VISUAL'], env['EDITOR']].find((name) => name !== undefined && name.trim() !== '');
  return named ?? null;
}

/**
 * Opens a file in the editor, on this terminal, and waits for its end. Returns why it did not end well,
 * or null. The shell takes the editor's arguments apart, as git does.
 */
export function openEditor(
  editor: string,
  file: string,
  env: Record<string, string>,
): Promise<string | null> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { env, stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { env, stdio: 'inherit' });
  // Ctrl-C is the editor's while it has the terminal.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  return new Promise<string | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(`it cannot be started (${error.code})`));
    child.on('close', (code, signal) => {
      resolve(code === 0 ? null : signal === null ? `it ended with ${code}` : `it was ended by ${signal}`);
    });
  }).finally(() => process.off('SIGINT', ignore));
}
