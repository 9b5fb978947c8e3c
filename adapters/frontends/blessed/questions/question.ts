import type { StampedEvent } from '../../../../ports/event.ts';

/** A permission request that waits (spec: tui, "Permission question"). */
export interface Question {
  request: Extract<StampedEvent, { type: 'permission_request' }>;
  /** When its first frame stood on the screen; null: not yet. Milliseconds. */
  shownAt: number | null;
  /** First row of its input that is shown. */
  scroll: number;
  /** The last row of the input was on the screen. */
  endSeen: boolean;
  /** What is typed: the rule for "always", or what the model is told on "no". */
  typing: { what: 'rule' | 'reason'; text: string; cursor: number } | null;
}
