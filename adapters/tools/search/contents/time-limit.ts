import { createContext, Script, type Context } from 'node:vm';

/** What was begun took too long, and was ended. */
export class TimeLimitError extends Error {}

const script = new Script('run()');
let context: Context | undefined;

/**
 * Runs `does`, which may be stuck in an expression that tries again and again, and ends it after `ms`.
 * Nothing else happens meanwhile: it is no thread of its own. Throws `TimeLimitError`, or what `does`
 * throws.
 */
export function withTimeLimit<T>(ms: number, does: () => T): T {
  const here = (context ??= createContext({}));
  here['run'] = does;
  try {
    return script.runInContext(here, { timeout: ms }) as T;
  } catch (error) {
    // An error from another context is no instance of this one's.
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TimeLimitError(`ended after ${ms} ms`);
  }
}
