import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** The home folder that the system's list of users names; null where it names none. */
function listedHome(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null; // a user that no list knows, as in containers
  }
}

/**
 * Makes `HOME` an absolute path, since an empty or relative one would put larik's files, and those of
 * the programs that it starts, into the working folder. Returns what is wrong if there is no such
 * path, for standard error; else null.
 */
export function settleHome(env: Record<string, string | undefined>, listed = listedHome): string | null {
  if (process.platform === 'win32' || isAbsolute(env['HOME'] ?? '')) return null;
  const home = listed();
  if (home === null) {
    const said = env['HOME'] === undefined ? 'is not set' : 'is no absolute path';
    return `HOME ${said}, and the system lists no home folder for this user; set HOME to a folder of yours`;
  }
  env['HOME'] = home;
  return null;
}
