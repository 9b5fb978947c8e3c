import type { Choice } from '../../../../adapters/frontends/host.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import type { SessionSummary } from '../../../../ports/session.ts';
import { isUnused } from '../../../unused-session.ts';

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** How long ago something was, such as `3 h ago`. */
function age(then: number, now: number): string {
  const passed = Math.max(0, now - then);
  const unit = units.find(([length]) => passed >= length);
  return unit === undefined ? 'just now' : `${Math.floor(passed / unit[0])} ${unit[1]} ago`;
}

/** Sessions to choose from, newest first. */
export function sessionRows(sessions: readonly SessionSummary[], current: string, now: number): Choice[] {
  const used = sessions.filter((session) => session.id === current || !isUnused(session));
  return used.map(({ id, title, model, changedAt }) => ({
    value: id,
    label: title === '' ? id : oneLine(title),
    detail: `${age(changedAt, now)} · ${oneLine(model)}`,
    current: id === current,
    ...(id === current ? { disabled: 'on the screen' } : {}),
  }));
}
