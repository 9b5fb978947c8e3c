import type { SessionLog } from '../../ports/session.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { PrefixAudit } from './prefix/audit.ts';

/** A session's log by which the trace learns where a fresh context begins. */
export function tracedLog(log: SessionLog, tracer: Tracer, audit: PrefixAudit): SessionLog {
  return {
    id: log.id,
    path: log.path,
    async append(entry) {
      await log.append(entry);
      if (entry.type !== 'context') return;
      audit.begin(entry.reason);
      tracer.record({ type: 'context', reason: entry.reason });
    },
    sync: () => log.sync(),
    close: () => log.close(),
  };
}
