import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryScript, versions, versionsByCommands } from './scenario.ts';

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** What the rounds share. */
export interface Shared {
  /** A project as it is before a run, to be copied. */
  project: string;
  /** larik's cache folder, so that only the first runs compile. */
  cache: string;
  dispose(): Promise<void>;
}

/** Makes the project of the scenario, once for all rounds: a repository with work that is not committed. */
export async function sharedProject(): Promise<Shared> {
  const root = await mkdtemp(join(tmpdir(), 'larik-crash-'));
  const [project, cache] = [join(root, 'project'), join(root, 'cache')];
  await mkdir(cache);
  await mkdir(join(project, 'src'), { recursive: true });
  for (const [name, [first]] of Object.entries({ ...versions, ...versionsByCommands })) {
    if (typeof first !== 'string') continue;
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), first);
  }
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, ...identity };
  execFileSync('bash', ['-ec', repositoryScript], { cwd: project, env, stdio: 'pipe' });
  return { project, cache, dispose: () => rm(root, { recursive: true, force: true }) };
}
