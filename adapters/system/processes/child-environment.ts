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

/** The environment that commands get: `base` without the names in `hidden`, then what keeps programs quiet, then `extra`. */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  hidden: readonly string[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  const away = new Set(hidden);
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !away.has(name)) environment[name] = value;
  }
  return Object.assign(environment, quiet, extra);
}
