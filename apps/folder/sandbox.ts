import { join, resolve } from 'node:path';
import { Bubblewrap } from '../../adapters/sandbox/bubblewrap.ts';
import { noSandbox } from '../../adapters/sandbox/none.ts';
import { Seatbelt } from '../../adapters/sandbox/seatbelt.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { allowedDomain } from '../../domain/text/net/allowed-domain.ts';
import { protectedGitNames, protectedNames } from '../../domain/permissions/protected-files.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { Folder } from './folder.ts';

/** Paths of settings: absolute, from `~/`, or from the project. */
function absolute(paths: readonly string[], { home, project }: Folder): string[] {
  return paths.map((path) =>
    path === '~' || path.startsWith('~/') ? resolve(home, `.${path.slice(1)}`) : resolve(project, path),
  );
}

/** What no tool and no command shows anything of: keys, and larik's own settings. */
export function deniedToRead(folder: Folder): string[] {
  return [folder.places.config, ...absolute(folder.settings.sandbox.denyRead, folder)];
}

const sandboxesOf: Readonly<Partial<Record<NodeJS.Platform, 'bubblewrap' | 'seatbelt'>>> = {
  linux: 'bubblewrap',
  darwin: 'seatbelt',
};

function notOnThisSystem(): string {
  return `There is no sandbox for ${process.platform} yet, so commands are asked about.`;
}

function notThatHere(type: 'bubblewrap' | 'seatbelt', here: 'bubblewrap' | 'seatbelt' | undefined): string {
  const system = type === 'bubblewrap' ? 'Linux' : 'macOS';
  return `${type} runs on ${system} only; set sandbox.type to ${here === undefined ? 'none' : `auto or ${here}`}.`;
}

/** Where the folder's commands run. Its probe begins at once, beside what else a start does. */
export function sandboxOf(folder: Folder): Sandbox {
  const { type, writable, env, network, allowedDomains } = folder.settings.sandbox;
  const required = type !== 'auto';
  if (type === 'none') return noSandbox();
  const here = sandboxesOf[process.platform];
  if (here === undefined || (required && type !== here)) {
    return noSandbox(required ? notThatHere(type, here) : notOnThisSystem(), required);
  }
  const { project, home, places } = folder;
  const common = {
    project,
    home,
    denyRead: deniedToRead(folder),
    writable: absolute(writable, folder),
    own: [places.data, places.cache],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env,
    network,
    required,
    environment: process.env,
  };
  if (here === 'seatbelt') return new Seatbelt({ program: '/usr/bin/sandbox-exec', ...common });
  return new Bubblewrap({
    ...common,
    program: searchProgram('bwrap', process.env['PATH'], folder.project),
    nsenter: () => searchProgram('nsenter', process.env['PATH'], folder.project),
    notes: join(places.data, 'sandbox'),
    domains: {
      // What is no domain was told when the settings were read.
      domains: allowedDomains.flatMap((entry) => {
        const domain = allowedDomain(entry);
        return 'problem' in domain ? [] : [domain];
      }),
      node: process.execPath,
    },
    lock: takeFileLock,
  });
}
