import { execFileSync } from 'node:child_process';

function works(): boolean {
  try {
    execFileSync('bwrap', ['--unshare-user', '--unshare-net', '--ro-bind', '/', '/', '--', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** bwrap is there, and this machine lets users make namespaces; else the suite stands aside visibly. */
export const sandboxWorks = works();
