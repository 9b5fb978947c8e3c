import { join, resolve } from 'node:path';
import { Bubblewrap } from '../../adapters/sandbox/bubblewrap.ts';
import { noSandbox } from '../../adapters/sandbox/none.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { protectedGitNames, protectedNames } from '../../domain/permissions/protected-files.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { Folder } from './folder.ts';

/** Paths of settings: absolute, from `~/`, or from the project. */
function absolute(paths: readonly string[], { home, project }: Folder): string[] {
  return paths.map((path) =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(project, path),
  );
}

/** What no tool and no command shows anything of: keys, and larik's own settings. */
export function deniedToRead(folder: Folder): string[] {
  return [folder.places.config, ...absolute(folder.settings.sandbox.denyRead, folder)];
}

function notOnThisSystem(): string {
  const system = process.platform === 'darwin' ? 'macOS' : process.platform;
  return `There is no sandbox for ${system} yet, so commands are asked about.`;
}

/** Where the folder's commands run. Its probe begins at once, beside what else a start does. */
export function sandboxOf(folder: Folder): Sandbox {
  const { type, writable, env, network } = folder.settings.sandbox;
  const required = type === 'bubblewrap';
  if (type === 'none') return noSandbox();
  if (process.platform !== 'linux') {
    return noSandbox(
      required ? 'bubblewrap runs on Linux only; set sandbox.type to none.' : notOnThisSystem(),
      required,
    );
  }
  const { project, home, places } = folder;
  return new Bubblewrap({
    program: searchProgram('bwrap', process.env['PATH'], folder.project),
    nsenter: () => searchProgram('nsenter', process.env['PATH'], folder.project),
    project,
    home,
    notes: join(places.data, 'sandbox'),
    denyRead: deniedToRead(folder),
    writable: absolute(writable, folder),
    own: [places.data, places.cache],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env,
    network,
    required,
    environment: process.env,
    lock: takeFileLock,
  });
}
