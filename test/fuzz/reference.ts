import type { BashRun } from './bash-runs.ts';

/**
 * The rules of the fuzz are of three plain forms, so that what they name can be told without the code
 * that is tested: `name*`, `name word*` and `name word`.
 */
export function isNamedBy(pattern: string, ran: readonly string[]): boolean {
  const open = pattern.endsWith('*');
  const wanted = pattern.replace(/\*$/, '').trim().split(' ');
  if (!open && wanted.length !== ran.length) return false;
  return wanted.every((word, at) => ran[at] === word);
}

/** What an allow decision let through that no rule names; null if all is as it should be. */
export function wronglyAllowed(allow: readonly string[], run: BashRun): string | null {
  const stranger = run.ran.find((ran) => !allow.some((pattern) => isNamedBy(pattern, ran)));
  if (stranger !== undefined) return `ran ${stranger.join(' ')}, which no rule names`;
  return run.written.length > 0 ? `wrote ${run.written.join(', ')}` : null;
}

/** What ran although a rule forbids it; null if nothing did. */
export function forbiddenThatRan(deny: readonly string[], run: BashRun): string | null {
  const found = run.ran.find((ran) => deny.some((pattern) => isNamedBy(pattern, ran)));
  return found === undefined ? null : found.join(' ');
}
