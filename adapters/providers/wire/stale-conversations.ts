import type { ModelRequest } from '../../../ports/provider.ts';

/** Conversations are few in one process; the bound is for one that runs for weeks. */
const most = 200;

/**
 * The conversations whose replayed reasoning a server has refused (wire formats, section 5,
 * `stale_reasoning`): for the rest of the session they are sent without it.
 */
export class StaleConversations {
  readonly #known = new Set<string>();

  has(request: ModelRequest): boolean {
    return this.#known.has(keyOf(request));
  }

  add(request: ModelRequest): void {
    this.#known.add(keyOf(request));
    const [oldest] = this.#known;
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(request: ModelRequest): string {
  return `${request.model} ${request.cacheKey}`;
}
