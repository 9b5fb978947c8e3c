import { join } from 'node:path';
import type { WorkTrees } from '../../ports/work-trees.ts';
import type { Folder } from './folder.ts';

/**
 * The work trees of a session that keeps its data in `data`; undefined where there is no git
 * repository. Most turns need none, so the code is loaded with the first command.
 */
export function workTrees(folder: Folder, data: string, session: string): WorkTrees | undefined {
  const { gitRoot, places } = folder;
  if (gitRoot === null) return undefined;
  let loaded: Promise<WorkTrees> | undefined;
  const load = (): Promise<WorkTrees> =>
    (loaded ??= import('../../adapters/git/git-work-trees.ts').then(({ gitWorkTrees }) =>
      gitWorkTrees({
        folder: join(data, 'checkpoints', session, 'trees'),
        project: gitRoot,
        own: [places.data, places.config, places.cache, data],
      }),
    ));
  return {
    keep: async (name) => (await load()).keep(name),
    compare: async (name) => (await load()).compare(name),
    removeEmpty: async (folders) => (await load()).removeEmpty(folders),
    dispose: async () => (await loaded)?.dispose(),
  };
}
