import { join } from 'node:path';
import { Bubblewrap, type BubblewrapOptions } from '../../adapters/sandbox/bubblewrap.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { protectedGitNames, protectedNames } from '../../domain/permissions/protected-files.ts';
import type { World } from './world.ts';

/** The sandbox of a world as a session sets it up, and what runs commands in it. */
export function sandboxIn(world: World, more: Partial<BubblewrapOptions> = {}) {
  const path = process.env['PATH'];
  const { project, home, root, open, environment } = world;
  const sandbox = new Bubblewrap({
    program: searchProgram('bwrap', path),
    nsenter: () => searchProgram('nsenter', path),
    project,
    home,
    notes: join(root, 'data', 'sandbox'),
    denyRead: [join(root, 'config'), join(home, '.ssh'), join(home, '.netrc')],
    writable: [open],
    own: [join(root, 'data')],
    protectedNames: { project: [...protectedNames], git: protectedGitNames },
    env: ['NAMED'],
    network: false,
    required: true,
    environment,
    lock: takeFileLock,
    ...more,
  });
  return { sandbox, processes: processesIn(world, sandbox) };
}

/** What runs commands in a sandbox of the world. */
export function processesIn({ root, environment, told }: World, sandbox: Bubblewrap): LocalProcesses {
  return new LocalProcesses({
    outputFolder: join(root, 'output'),
    environment,
    sandbox,
    variables: told,
  });
}
