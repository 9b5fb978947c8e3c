import type { Clock, Ids } from '../../ports/clock.ts';

/** A new session's id: its start in UTC, so that names sort by age, and six random digits. */
export function sessionId({ clock, ids }: { clock: Clock; ids: Ids }): string {
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\..*$/g, '');
  return `${time.replace('T', '-')}-${ids.hex(6)}`;
}
