/** True for what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as JSON, cut to `most` characters. */
export function shown(value: unknown, most = 200): string {
  const text = JSON.stringify(value) ?? String(value);
  const characters = Array.from(text.slice(0, most * 2 + 2));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
