import { endProcess } from './process-end.ts';

/** What a signal asked for. */
export interface Interruption {
  /** The exit code that a signal stands for; null: none came. */
  code(): number | null;
  /** Signals do again what they do by themselves. */
  stop(): void;
}

/** Aborts on the first signal, so that the run ends cleanly; a second one ends the process at once. */
export function abortOnSignals(abort: AbortController): Interruption {
  let code: number | null = null;
  const handle = (exit: number) => (): void => {
    if (code !== null) endProcess(exit);
    code = exit;
    abort.abort('interrupted');
  };
  const interrupt = handle(130);
  const terminate = handle(143);
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  process.on('SIGHUP', terminate);
  return {
    code: () => code,
    stop: () => {
      process.removeListener('SIGINT', interrupt);
      process.removeListener('SIGTERM', terminate);
      process.removeListener('SIGHUP', terminate);
    },
  };
}
