import { PortError } from '../../../ports/errors.ts';
import type { ImageBounds, Images } from '../../../ports/images.ts';

/** Stands in for what scales pictures. */
export class FakeImages implements Images {
  /** In the order in which they came. */
  readonly asked: { bytes: Uint8Array; bounds: ImageBounds }[] = [];
  readonly #outcome: Uint8Array | null;

  constructor(outcome: Uint8Array | null) {
    this.#outcome = outcome;
  }

  async shrink(bytes: Uint8Array, bounds: ImageBounds, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    this.asked.push({ bytes, bounds });
    if (this.#outcome === null) throw new PortError('image', 'broken', 'it cannot be decoded here', {});
    return this.#outcome;
  }
}

/** Makes `outcome` of every picture; null: none of them can be decoded. */
export function fakeImages(outcome: Uint8Array | null = null): FakeImages {
  return new FakeImages(outcome);
}
