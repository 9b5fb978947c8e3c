import type { ProcessRunner } from '../ports/process.ts';

/** How a program comes onto this system, as a command where there is one. */
export function installCommand(program: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return `brew install ${program}`;
  if (platform === 'win32') return `winget install ${program}`;
  return `apt-get install ${program}, or your system's like`;
}

/** What is not installed here and would help, with how to get it; larik works without. */
export async function missingPrograms(processes: ProcessRunner, inRepository: boolean): Promise<string[]> {
  const [rg, git] = await Promise.all([processes.find('rg'), processes.find('git')]);
  const missing: string[] = [];
  if (rg === null)
    missing.push(`ripgrep is not installed, so searching is slower; to get it: ${installCommand('ripgrep')}`);
  if (git === null && inRepository) {
    missing.push(
      `git is not installed, so commands that use it will fail; to get it: ${installCommand('git')}`,
    );
  }
  return missing;
}
