import type { SessionSummary } from '../ports/session.ts';

/** Bytes of a session in which nothing was said yet; with the first prompt comes what the model is told. */
const mostUnused = 2048;

/** Whether a session was only opened: there is nothing in it to go on with. */
export function isUnused({ title, bytes }: Pick<SessionSummary, 'title' | 'bytes'>): boolean {
  return title === '' && bytes < mostUnused;
}
