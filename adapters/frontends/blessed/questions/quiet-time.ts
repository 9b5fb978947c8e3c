/** Milliseconds from the first frame of a question in which no key answers it (spec: tui). */
const quietTime = 300;

/** When a question was first seen, and until when keys answer nothing. Null: not shown yet. */
export interface Quiet {
  shownAt: number | null;
  quietUntil: number | null;
}

/** Its first frame stood on the screen. */
export function shown<Of extends Quiet>(question: Of, now: number): Of {
  return question.shownAt === null ? { ...question, shownAt: now, quietUntil: now + quietTime } : question;
}

/** Not even the keys that only refuse count yet. */
export function isNew({ shownAt }: Quiet, now: number): boolean {
  return shownAt === null || now < shownAt + quietTime;
}

/**
 * Keys that would answer do not count yet. Someone who was typing, or holds a key down, when the question
 * came goes on beyond its quiet time; therefore each key that is dropped (`dropped`) makes it longer,
 * until there was a pause of as long. It has no other bound: who lets go for that long can answer.
 */
export function isQuiet({ quietUntil }: Quiet, now: number): boolean {
  return quietUntil === null || now < quietUntil;
}

/** The question after a key that did not count. */
export function dropped<Of extends Quiet>(question: Of, now: number): Of {
  return question.quietUntil === null
    ? question
    : { ...question, quietUntil: Math.max(question.quietUntil, now + quietTime) };
}
