import { token } from './token.ts';

/** What a picture may have at most. */
export interface ImageBounds {
  /** Bytes of the file. */
  bytes: number;
  /** Pixels of the longer side. */
  side: number;
}

/** Pictures made smaller, so that models take them (spec: agent-loop, "Healing"; wire formats, section 6). */
export interface Images {
  /**
   * The same picture, as a PNG or a JPEG that keeps within the bounds. Throws only `PortError<'image'>`,
   * and the signal's reason once that has aborted.
   */
  shrink(bytes: Uint8Array, bounds: ImageBounds, signal: AbortSignal): Promise<Uint8Array>;
}
export const Images = token<Images>('Images');
