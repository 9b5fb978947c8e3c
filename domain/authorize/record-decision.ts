import type { SessionEntry } from '../../ports/session.ts';
import type { Run } from '../scope.ts';
import type { ParsedCall } from './parsed-call.ts';

type PermissionEntry = Extract<SessionEntry, { type: 'permission' }>;

/** Notes in the session who let a call run, or who did not. */
export async function recordDecision(
  run: Run,
  call: ParsedCall,
  entry: Omit<PermissionEntry, 'type' | 'tool_id'>,
): Promise<void> {
  await run.ports.log.append({ type: 'permission', tool_id: call.block.id, ...entry });
}
