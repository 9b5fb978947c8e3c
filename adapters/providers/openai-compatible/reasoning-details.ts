import { list, record, text } from '../wire/json.ts';

type Json = Record<string, unknown>;

const concatenated = new Set(['text', 'summary', 'data']);

/**
 * Joins the pieces in which OpenRouter streams `reasoning_details` (wire formats, section 10): per type
 * and index, texts are concatenated and of everything else the last counts.
 */
export class ReasoningDetails {
  readonly #details = new Map<string, Json>();

  take(pieces: unknown): void {
    for (const piece of list(pieces).map(record)) {
      const key = JSON.stringify([piece['type'], piece['index']]);
      const detail = this.#details.get(key) ?? {};
      for (const [field, value] of Object.entries(piece)) {
        const before = detail[field];
        // A piece without text, such as the one with the signature, takes none away.
        const joins = concatenated.has(field) && typeof before === 'string';
        detail[field] = joins ? before + text(value) : value;
      }
      this.#details.set(key, detail);
    }
  }

  list(): Json[] {
    return [...this.#details.values()];
  }
}
