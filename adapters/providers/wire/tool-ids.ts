import { createHash } from 'node:crypto';
import type { Ids } from '../../../ports/clock.ts';

/** Rewrites an id to what a protocol allows: the same id always to the same, so call and result agree. */
export type MapToolId = (id: string) => string;

/** Ids that every vendor takes (wire formats, section 5, step 4). */
export function plainToolId(id: string): string {
  return /^[a-zA-Z0-9_-]{1,40}$/.test(id) ? id : `call_${digest(id, 24)}`;
}

/** Mistral's ids: nine letters and digits. */
export function mistralToolId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id, 9);
}

/** An id for a call that came without one. */
export function madeUpToolId(ids: Ids): string {
  return `lk_${ids.hex(16)}`;
}

function digest(id: string, length: number): string {
  return createHash('sha256').update(id).digest('hex').slice(0, length);
}
