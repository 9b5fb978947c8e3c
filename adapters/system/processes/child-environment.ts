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

/** What commands are passed on of `base`: all but the names in `hidden`. */
export function inheritedEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  hidden: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  const away = new Set(hidden);
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !away.has(name)) environment[name] = value;
  }
  return environment;
}

/** What larik sets for commands: what keeps programs quiet, then `extra`. */
export function childEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return { ...quiet, ...extra };
}
