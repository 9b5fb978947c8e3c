import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileCheckpointStore } from '../../../adapters/checkpoints/file-checkpoint-store.ts';
import { gitWorkTrees } from '../../../adapters/git/git-work-trees.ts';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';

/** A project in a git repository, and one session of larik over it. */
export interface Project {
  root: string;
  project: string;
  data: string;
  /** Runs a script in the project, as a command of the model would. */
  sh(script: string): string;
  /** Begins a turn, and keeps the tree as before a first command. */
  begin(turn: number, checkpoints: Checkpoints): Promise<void>;
  /** The session in a process of its own; `keepMs` as in `GitWorkTreesOptions`. */
  session(keepMs?: number): Checkpoints;
  files: LocalFiles;
  dispose(): Promise<void>;
}

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
};

export async function gitProject(): Promise<Project> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'larik-trees-')));
  const [project, data] = [join(root, 'project'), join(root, 'data')];
  await mkdir(project);
  const sh = (script: string): string =>
    execFileSync('bash', ['-ec', script], {
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: root, ...identity },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  sh('git init -q -b main .');
  const files = new LocalFiles();
  const place = { cwd: project, project, home: root };
  const started: ReturnType<typeof gitWorkTrees>[] = [];
  return {
    root,
    project,
    data,
    sh,
    files,
    session(keepMs = 20_000) {
      const folder = join(data, 'session');
      const trees = gitWorkTrees({ folder: join(folder, 'trees'), project, own: [data], keepMs });
      started.push(trees);
      return new Checkpoints(fileCheckpointStore(folder), files, place, trees);
    },
    async begin(turn, checkpoints) {
      checkpoints.begin(turn);
      await checkpoints.beforeCommand('make', []);
    },
    async dispose() {
      for (const trees of started) await trees.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Every file and link below, with its bits and bytes, outside `.git` folders unless `all`. */
export async function listing(folder: string, all = false): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (at: string): Promise<void> => {
    for (const { name } of await readdir(join(folder, at), { withFileTypes: true })) {
      if (name === '.git' && !all) continue;
      const path = at === '' ? name : `${at}/${name}`;
      const stat = await lstat(join(folder, path));
      if (stat.isDirectory()) {
        found[`${path}/`] = '';
        await walk(path);
      } else if (stat.isSymbolicLink()) found[path] = `link to ${await readlink(join(folder, path))}`;
      else {
        const hash = createHash('sha1').update(await readFile(join(folder, path)));
        found[path] = `${(stat.mode & 0o7777).toString(8)} ${hash.digest('hex')}`;
      }
    }
  };
  await walk('');
  return found;
}
