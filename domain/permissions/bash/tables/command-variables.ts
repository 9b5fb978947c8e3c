/**
 * What is done with a variable's value: `command`: a program runs it; `expanded`: bash expands it, and so
 * runs the substitutions in it; `maybe-expanded`: so, but the name has other uses; `names`: it says what
 * other names run.
 */
export type VariableUse = 'command' | 'expanded' | 'maybe-expanded' | 'names';

const table: Record<VariableUse, string> = {
  command:
    'PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER BAT_PAGER DELTA_PAGER EDITOR VISUAL GIT_EDITOR ' +
    'GIT_SEQUENCE_EDITOR KUBE_EDITOR SYSTEMD_EDITOR SUDO_EDITOR FCEDIT BROWSER GIT_SSH GIT_SSH_COMMAND ' +
    'GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH CVS_RSH ' +
    'PROMPT_COMMAND LESSOPEN LESSCLOSE RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER',
  expanded: 'PS4 BASH_ENV',
  'maybe-expanded': 'ENV PS0 PS1 PS2 PS3',
  names: 'BASH_ALIASES BASH_CMDS',
};

const byName = new Map(
  (Object.entries(table) as [VariableUse, string][]).flatMap(([use, names]) =>
    names.split(' ').map((name) => [name, use] as const),
  ),
);

/** How the value of a variable comes to run; null if it does not. */
export function useOf(name: string): VariableUse | null {
  return byName.get(name) ?? null;
}
