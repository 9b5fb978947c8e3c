import { execFileSync } from 'node:child_process';

/** Whether a program is on this machine: tests that need one besides Node say so and stand aside. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
