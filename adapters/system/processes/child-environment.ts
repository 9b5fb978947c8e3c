import { delimiter, isAbsolute } from 'node:path';

/** What makes programs go on by themselves: no pager, no editor, no question. */
const quiet: Readonly<Record<string, string>> = {
  LARIK: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  TERM: 'dumb',
};

/** Files that a shell reads at its start. */
const shellFiles: ReadonlySet<string> = new Set(['BASH_ENV', 'ENV']);

/** A variable without what the folder that is worked in would give a meaning to; undefined if nothing is left. */
function withoutRelative(name: string, value: string): string | undefined {
  if (shellFiles.has(name)) return isAbsolute(value) ? value : undefined;
  if (name.toUpperCase() !== 'PATH') return value;
  const folders = value.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? undefined : folders.join(delimiter);
}

/**
 * What commands are passed on of `base`: all but the names in `hidden`, and without relative parts of PATH,
 * which would let a file of the folder stand in for a harmless command.
 */
export function inheritedEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  hidden: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  const away = new Set(hidden);
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || away.has(name)) continue;
    const kept = withoutRelative(name, value);
    if (kept !== undefined) environment[name] = kept;
  }
  return environment;
}

/** What larik sets for commands: what keeps programs quiet, then `extra`. */
export function childEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return { ...quiet, ...extra };
}
