import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { oneLine } from '../../domain/text/one-line.ts';

/** Milliseconds after which a sandbox that says nothing counts as broken. */
const longest = 5000;

/** What is told where it is missing; `required`: the settings insist on it. */
export function notInstalled(required: boolean): string {
  const outcome = required ? 'no command runs' : 'commands run without a sandbox and are asked about';
  return `bubblewrap is not installed, so ${outcome}. To get it: apt install bubblewrap, or your system's like; then start larik again.`;
}

/**
 * Runs `true` in the sandbox. Null: it works; else why it does not and how to mend that, in at most
 * three lines.
 */
export async function probe(
  program: string,
  args: readonly string[],
  required = false,
): Promise<string | null> {
  const error = await new Promise<string | null>((resolve) => {
    const options = { timeout: longest, env: { PATH: '/usr/bin:/bin' }, killSignal: 'SIGKILL' as const };
    execFile(program, [...args, '--', 'true'], options, (failed, _, stderr) =>
      resolve(failed === null ? null : stderr.trim() || failed.message),
    );
  });
  if (error === null) return null;
  const said = oneLine(error).slice(0, 200);
  const outcome = required ? 'no command runs' : 'commands are asked about';
  return `The sandbox bubblewrap does not work here, so ${outcome}: ${said}\n${await remedy()}`;
}

async function remedy(): Promise<string> {
  const setting = async (path: string): Promise<string> =>
    (await readFile(path, 'utf8').catch(() => '')).trim();
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  if ((await isThere('/.dockerenv')) || (await isThere('/run/.containerenv'))) {
    return (
      'In a container, start it with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, ' +
      'or take the container itself as the sandbox: `"sandbox": {"type": "none"}` in your settings says so.'
    );
  }
  if ((await setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return (
      'AppArmor forbids it (Ubuntu 23.10 and later). An administrator can allow it for bwrap alone: ' +
      'apt install apparmor-profiles, then ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ and reload AppArmor.'
    );
  }
  if (
    (await setting('/proc/sys/kernel/unprivileged_userns_clone')) === '0' ||
    (await setting('/proc/sys/user/max_user_namespaces')) === '0'
  ) {
    return (
      'This system lets users make no namespaces. An administrator can allow it: ' +
      'sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000'
    );
  }
  return 'Try `bwrap --ro-bind / / --unshare-all true` in a terminal to see what is missing.';
}
