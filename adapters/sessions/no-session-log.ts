import type { Clock, Ids } from '../../ports/clock.ts';
import type { SessionLog } from '../../ports/session.ts';
import { sessionId } from './session-id.ts';

/** The log of a session that is not kept: it has an id and forgets the rest. */
export function noSessionLog(ports: { clock: Clock; ids: Ids }): SessionLog {
  return {
    id: sessionId(ports),
    path: '',
    append: () => Promise.resolve(),
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
