/** Tokens of context that are asked for, or assumed, where a server of the user's own says nothing. */
export const localWindow = 32_768;

/** A window that a server names; null for what cannot be one. */
export function windowOf(value: unknown): number | null {
  const isWindow =
    typeof value === 'number' && Number.isInteger(value) && value >= 256 && value <= 100_000_000;
  return isWindow ? value : null;
}
