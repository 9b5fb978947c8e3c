import type { FileContent, ToolContext } from '../../../plugins/sdk/index.ts';
import { shownPath } from '../common/shown-path.ts';
import { wholeFileBytes } from '../files/limits.ts';
import { blockedPath, missingFile, missingFolder } from '../files/missing-file.ts';

export type KnownFile =
  | { kind: 'known'; path: string; shown: string; content: FileContent; hash: string }
  | { kind: 'missing'; path: string; shown: string }
  /** Why the file cannot be changed, for the model. */
  | { kind: 'refused'; text: string };

/** A file that is to be changed, if the agent knows what is in it (spec: tools, "Read before write"). */
export async function knownFile(path: string, context: ToolContext): Promise<KnownFile> {
  const { files, cwd, freshness } = context;
  const { path: full, stat: own } = await files.resolve(path, cwd);
  const shown = shownPath(full, cwd);
  const stat = await files.stat(full);
  const refused = (text: string): KnownFile => ({ kind: 'refused', text });
  if (stat === null && own === null) {
    // Making the file would make the folders above it, too.
    const problem = (await missingFolder(context)) ?? (await blockedPath(full, context));
    if (problem === null) return { kind: 'missing', path: full, shown };
    return refused(`Nothing was changed: ${problem}`);
  }
  if (own?.kind === 'link') {
    const next = stat === null ? 'It leads nowhere.' : 'Change the file that it leads to.';
    return refused(`${shown} is a symbolic link, through which nothing is written. ${next}`);
  }
  if (stat?.kind === 'folder')
    return refused(`${shown} is a folder, and nothing was changed. Name a file in it.`);
  if (stat === null || stat.kind !== 'file')
    return refused(
      `${shown} is a device, pipe or socket, which the file tools do not touch. Use a command in \`bash\`.`,
    );
  if (stat.size > wholeFileBytes) {
    const most = `the file tools change at most ${wholeFileBytes}`;
    return refused(`${shown} has ${stat.size} bytes, and ${most}. Change it with a command in \`bash\`.`);
  }
  const content = await files.read(full);
  const hash = content.hash ?? '';
  const freshnessNow = await freshness.check(full, hash);
  switch (freshnessNow) {
    case 'fresh':
      return { kind: 'known', path: full, shown, content, hash };
    case 'not_read':
      return refused(
        `${shown} was not read yet, and nothing was changed. Read it with \`read\`, then send the call again.`,
      );
    case 'changed':
      return refused(
        `${shown} has changed since it was read, and nothing was changed now. Read it again with \`read\`, then send a call that fits what is there.`,
      );
    default: {
      const never: never = freshnessNow;
      return never;
    }
  }
}

/** Why a file that should be edited cannot be. */
export async function notThere(path: string, context: ToolContext): Promise<string> {
  return `Nothing was changed: ${await missingFile(path, context)} A new file is made with \`write\`.`;
}
