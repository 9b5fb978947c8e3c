import type { Facts } from '../facts.ts';
import type { Place } from '../path-policy.ts';

/** Which act that cannot be taken back this line would do, in words; null if none (spec: permissions, "The guard"). */
export function guardReason(_facts: Facts, _place: Place): string | null {
  return null;
}
