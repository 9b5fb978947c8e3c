import type { ProviderDelta } from '../../../ports/provider.ts';

/**
 * The deltas that came with one piece of the network, neighbours of one kind joined: a screen gains
 * nothing from a thousand single words that arrived at once.
 */
export class DeltaBatch {
  readonly #deltas: ProviderDelta[] = [];

  add(deltas: readonly ProviderDelta[]): void {
    for (const delta of deltas) {
      const last = this.#deltas.at(-1);
      const joined = last && join(last, delta);
      if (joined) this.#deltas[this.#deltas.length - 1] = joined;
      else this.#deltas.push(delta);
    }
  }

  list(): readonly ProviderDelta[] {
    return this.#deltas;
  }
}

function join(last: ProviderDelta, next: ProviderDelta): ProviderDelta | null {
  if (next.kind === 'tool_input' && last.kind === 'tool_input' && last.index === next.index) {
    return { ...last, json: last.json + next.json };
  }
  const isText = next.kind === 'text' || next.kind === 'thinking';
  if (isText && last.kind === next.kind) return { ...last, text: last.text + next.text };
  return null;
}
