import { z } from 'zod';
import { oneLine } from '../../../domain/text/one-line.ts';
import { PortError } from '../../../ports/errors.ts';
import { parseJsonDocument } from '../documents/settings-document.ts';
import { placeText } from '../documents/position.ts';
import { readSettingsFile } from '../settings-file.ts';
import { alone, type TakeLock } from '../writing/changed-file.ts';
import { finalPath, replaceFile } from '../writing/replaced-file.ts';

const approvalSchema = z.strictObject({
  folder: z.string().nullable(),
  kind: z.enum(['mcp_server', 'hooks', 'plugin']),
  name: z.string(),
  hash: z.string(),
  approved: z.string(),
});

const fileSchema = z.strictObject({ version: z.literal(1), approvals: z.array(approvalSchema) });

/** One approval: of this content under this name in this folder, and of nothing else. */
export type Approval = z.infer<typeof approvalSchema>;

/** Why no approval in a file holds. */
interface Unusable {
  problem: string;
}

/**
 * The approvals in a file; none if it is not there. One that others may write, or that is not sound, holds
 * none. Never throws.
 */
export async function readApprovals(file: string): Promise<Approval[] | Unusable> {
  const content = await readSettingsFile(file, true);
  if (content === null) return [];
  const unusable = (place: string, what: string): Unusable => ({
    problem: `${place}: ${what}; no approval in it holds`,
  });
  if ('refused' in content) return unusable(oneLine(file), content.refused);
  const parsed = parseJsonDocument(content.text);
  if (!parsed.ok) return unusable(placeText(file, parsed.problem.position), parsed.problem.text);
  const checked = fileSchema.safeParse(parsed.document.value);
  if (!checked.success) {
    const path = checked.error.issues[0]?.path ?? [];
    return unusable(
      placeText(file, parsed.document.positionOf(path)),
      'it is not in a form that larik knows',
    );
  }
  return checked.data.approvals;
}

/**
 * Replaces the approvals in a file by what `change` makes of them, under the file's lock and at once. The
 * file is made if it is not there, for its owner alone. Throws `PortError<'settings'>`: `broken` for a file
 * that is not sound, `io` for what the system refuses; nothing is written then.
 */
export function changeApprovals(
  file: string,
  lock: TakeLock,
  change: (before: readonly Approval[]) => Approval[],
): Promise<void> {
  return alone(file, lock, async () => {
    const before = await readApprovals(file);
    if ('problem' in before) {
      throw new PortError('settings', 'broken', `${before.problem}; mend the file or delete it`, { file });
    }
    const after = { version: 1, approvals: change(before) };
    await replaceFile(await finalPath(file), `${JSON.stringify(after, null, 2)}\n`);
  });
}
