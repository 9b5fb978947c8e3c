import { instructionFiles } from '../../adapters/content/instruction-files.ts';
import { readDenied, showRefusal } from '../../domain/permissions/path-policy.ts';
import { parseRules } from '../../domain/permissions/rules.ts';
import type { Content } from '../../ports/content.ts';
import { bothNames } from './both-names.ts';
import type { Folder } from './folder.ts';
import { deniedToRead } from './sandbox.ts';

/**
 * What people wrote for the agent, from the user's folder and the project's. A link in the project, which
 * its author chose, leads to nothing that the user keeps from tools.
 */
export function folderInstructions(folder: Folder): Content {
  const { cwd, project, home, places, settings } = folder;
  return instructionFiles({
    config: places.config,
    project,
    cwd,
    async mayLeadTo(target) {
      const resolved = { path: target, links: [], target, stat: null };
      if (showRefusal(resolved, await bothNames(deniedToRead(folder))) !== null) return false;
      const { rules } = parseRules(settings.rules);
      return readDenied(resolved, { cwd, project, home, rules }) === null;
    },
  });
}
