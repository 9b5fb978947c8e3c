import type { Call, Outcome } from '../current-turn.ts';

/** Calls to make at once, with a word on why. */
export interface Step {
  say: string;
  calls: Call[];
}

/** What came of a job, for the user. */
export interface Report {
  text: string;
  ok: boolean;
}

/**
 * Work as a generator: it yields calls and is given their outcomes. The demo keeps no state; for each
 * request it runs the job again with the outcomes that the conversation holds.
 */
export type Job = Generator<Step, Report, Outcome[]>;

export const done = (text: string): Report => ({ text, ok: true });
export const failed = (text: string): Report => ({ text, ok: false });
