import { describe, expect, it } from 'vitest';
import { momentOf, momentText, seededRandom, type Moment } from './moments.ts';
import { crashRound, type RoundReport } from './round.ts';

const rounds = Number(process.env['LARIK_CRASH_ROUNDS'] ?? 40);
const seed = Number(process.env['LARIK_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Runs at the same time: most of a round is waiting. */
const atOnce = 4;

interface Round {
  n: number;
  moment: Moment;
}

async function runAll(all: readonly Round[], usualMs: number): Promise<{ failed: string[]; killed: number }> {
  const queue = [...all];
  const failed: string[] = [];
  let killed = 0;
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const report = await crashRound(next.moment, usualMs);
      if (report.killed) killed += 1;
      for (const text of report.problems) failed.push(`round ${next.n}, ${momentText(next.moment)}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { failed, killed };
}

describe.skipIf(process.platform !== 'linux')('a run that is killed', () => {
  it(
    `at any moment resumes, with whole files and no process left (${rounds} rounds, seed ${seed})`,
    { timeout: 60_000 + rounds * 5000 },
    async () => {
      const whole: RoundReport[] = await Promise.all(
        Array.from({ length: atOnce }, () => crashRound(null, 0)),
      );
      expect(whole.flatMap(({ problems }) => problems)).toEqual([]);
      const usualMs = Math.max(...whole.map(({ lasted }) => lasted));
      const random = seededRandom(seed);
      const all = Array.from({ length: rounds }, (_, n) => ({ n, moment: momentOf(n, random) }));
      const { failed, killed } = await runAll(all, usualMs);
      expect(failed).toEqual([]);
      expect(killed).toBeGreaterThan(rounds / 2);
    },
  );
});
