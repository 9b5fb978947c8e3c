import type { RequestPurpose } from '../../../ports/provider.ts';
import type { PrefixChange, PrefixFacts } from '../../../ports/tracer.ts';
import { type BodyPart, bodyParts } from './body-parts.ts';
import { causeText } from './cause.ts';
import { comparePrefix, sizeOf } from './compare.ts';

export interface PrefixFinding extends PrefixFacts {
  /** Set where a prefix broke that should have held. */
  change: PrefixChange | null;
}

const freshWords = {
  startup: 'first of this run',
  clear: 'fresh context (clear)',
  compact: 'fresh context (compaction)',
} as const;

/**
 * Compares each request of a run with the one before it of the same model (quality: "extends the one
 * before it"). A turn's requests extend one another, and a summary's extends the turn's. Titles and the
 * checks of mode auto stand apart: what they share is counted, and they break nothing.
 */
export class PrefixAudit {
  readonly #turns = new Map<string, BodyPart[]>();
  readonly #checks = new Map<string, BodyPart[]>();
  #fresh: string | null = freshWords.startup;

  /** A fresh context begins: nothing before it is to be extended. */
  begin(reason: keyof typeof freshWords): void {
    this.#turns.clear();
    this.#fresh = freshWords[reason];
  }

  look(model: string, purpose: RequestPurpose, body: Record<string, unknown>): PrefixFinding {
    const now = bodyParts(body);
    const known = purpose === 'check' ? this.#checks : this.#turns;
    const before = known.get(model);
    if (purpose === 'turn' || purpose === 'check') known.set(model, now);
    const fresh = this.#fresh;
    if (purpose === 'turn') this.#fresh = null;
    if (before === undefined) {
      const cause = purpose === 'check' ? 'first check' : (fresh ?? 'first of this model');
      return { sent: sizeOf(now), before: 0, shared: 0, cause, change: null };
    }
    const { change, ...sizes } = comparePrefix(before, now);
    const apart = purpose !== 'turn' && purpose !== 'compaction';
    return { ...sizes, cause: change && causeText(change), change: apart ? null : change };
  }
}
