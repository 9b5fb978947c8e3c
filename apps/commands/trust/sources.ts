import { approvalsFile } from '../../../adapters/settings/trust/definition-files.ts';
import { definitionsInFull } from '../../folder/definitions.ts';
import type { Folder } from '../../folder/folder.ts';
import { confirmer } from '../confirm.ts';
import type { TrustSources } from '../trust.ts';

/** What `larik trust` works on, on this machine. */
export function trustSources(folder: Folder): TrustSources {
  return {
    project: folder.project,
    approvals: approvalsFile(folder.places.config),
    now: () => new Date(),
    load: () => definitionsInFull(folder),
    confirm: confirmer(),
  };
}
