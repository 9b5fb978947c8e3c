import { replies, summary } from './scenario.ts';

/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When a run is killed: after a share of its usual length, or some time after something was seen. */
export type Moment =
  | { at: 'time'; share: number }
  | { at: 'event'; type: string; skip: number; delayMs: number }
  /** A request came to the model. */
  | { at: 'request'; skip: number; delayMs: number }
  | { at: 'temporary file'; skip: number };

const events = [
  ['turn_start', 1],
  ['text_delta', 60],
  ['assistant_message', 7],
  ['tool_start', 9],
  ['tool_end', 9],
  ['done', 1],
] as const;
const compaction = replies.indexOf(summary);
const temporaryFiles = 5;
/** The share of a run that is over before its first request. */
const startShare = 0.3;

/** The moment of round `n`: every kind comes as often as the others. */
export function momentOf(n: number, random: () => number): Moment {
  const [share, delay, which] = [random(), random(), random()];
  const [type, count] = events[Math.floor(n / 6) % events.length] ?? events[0];
  const event = { at: 'event', type, skip: Math.floor(which * count) } as const;
  switch (n % 6) {
    case 0:
      return { at: 'time', share };
    case 1:
      return { at: 'time', share: share * startShare };
    case 2:
      return { at: 'temporary file', skip: Math.floor(which * temporaryFiles) };
    case 3:
      // A compaction is short and comes once: every other of these is meant for it.
      return n % 12 === 3
        ? { at: 'request', skip: compaction, delayMs: delay * 25 }
        : { at: 'request', skip: Math.floor(which * replies.length), delayMs: delay * 40 };
    case 4:
      return { ...event, delayMs: 0 };
    default:
      return { ...event, delayMs: delay * 30 };
  }
}

export function momentText(moment: Moment): string {
  switch (moment.at) {
    case 'time':
      return `after ${Math.round(moment.share * 100)} % of the time`;
    case 'event':
      return `${moment.delayMs.toFixed(1)} ms after ${moment.type} number ${moment.skip + 1}`;
    case 'request':
      return `${moment.delayMs.toFixed(1)} ms after request number ${moment.skip + 1}`;
    case 'temporary file':
      return `at temporary file number ${moment.skip + 1}`;
    default:
      return moment satisfies never;
  }
}
