import { isatty } from 'node:tty';

/** The standard streams that were terminals when the program began. */
const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));

/**
 * Ends the process. Where its terminal has gone meanwhile, it ends by the signal that says so: Node
 * before 24.1 restores the terminal's state in an exit, and takes it for a fatal error of its own,
 * with a core dump, if there is no terminal any more.
 */
export function endProcess(code: number): never {
  if (terminals.some((descriptor) => !isatty(descriptor))) {
    process.emit('exit', code);
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }
  process.exit(code);
}
