import { describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { momentOf, momentText, seededRandom, type Moment } from './moments.ts';
import { phases } from './phases.ts';
import { sharedProject, type Shared } from './repository.ts';
import { crashRound, type ProblemKind, type RoundReport } from './round.ts';

const asked = process.env['LARIK_CRASH_ROUNDS'];
const rounds = Number(asked ?? 60);
const seed = Number(process.env['LARIK_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Runs at the same time: most of a round is waiting. */
const atOnce = 4;
/** So many rounds hit every phase, whatever the seed. */
const enough = 100;

interface Round extends RoundReport {
  n: number;
  moment: Moment;
}

async function runAll(shared: Shared, usualMs: number): Promise<Round[]> {
  const random = seededRandom(seed);
  const queue = Array.from({ length: rounds }, (_, n) => ({ n, moment: momentOf(n, random) }));
  const reports: Round[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const undoByCommand = next.n % 5 === 0;
      const report = await crashRound({ shared, moment: next.moment, usualMs, undoByCommand });
      reports.push({ ...next, ...report });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return reports;
}

function summaryOf(reports: readonly Round[]): string {
  const count = (kind: ProblemKind): number =>
    reports.filter(({ problems }) => problems.some((one) => one.kind === kind)).length;
  const killed = reports.filter(({ phase }) => phase !== null);
  return [
    `crash: ${reports.length} rounds, seed ${seed}`,
    `  ${killed.length} killed: ${phases.map((phase) => `${of(reports, phase)} ${phase}`).join(', ')}`,
    `  ${reports.filter(({ resumed }) => resumed).length} sessions gone on with; not resumed ${count('resume')}`,
    `  transcripts invalid ${count('transcript')}, session files ${count('session file')}, answers lost ${count('lost answer')}`,
    `  files half-written or left behind ${count('file')}, repositories changed ${count('repository')}, undo wrong ${count('undo')}, processes left ${count('process left')}`,
  ].join('\n');
}

const of = (reports: readonly Round[], wanted: string): number =>
  reports.filter(({ phase }) => phase === wanted).length;

const problemsOf = (reports: readonly Round[]): string[] =>
  reports.flatMap(({ n, moment, phase, problems }) =>
    problems.map(
      ({ kind, text }) => `round ${n}, ${momentText(moment)}, ${phase ?? 'not killed'}: ${kind}: ${text}`,
    ),
  );

describe.skipIf(process.platform !== 'linux' || !isInstalled('git'))('a run that is killed', () => {
  it(
    `at any moment resumes, with whole files and no process left (${rounds} rounds, seed ${seed})`,
    { timeout: 60_000 + rounds * 5000 },
    async () => {
      const shared = await sharedProject();
      try {
        const alone = { shared, moment: null, usualMs: 0 };
        const whole = await Promise.all(
          Array.from({ length: atOnce }, (_, n) => crashRound({ ...alone, undoByCommand: n === 0 })),
        );
        expect(whole.flatMap(({ problems }) => problems)).toEqual([]);
        const reports = await runAll(shared, Math.max(...whole.map(({ lasted }) => lasted)));
        if (asked !== undefined) process.stdout.write(`${summaryOf(reports)}\n`);
        expect(problemsOf(reports)).toEqual([]);
        expect(reports.filter(({ phase }) => phase !== null).length).toBeGreaterThan(rounds / 2);
        const missed = phases.filter((phase) => of(reports, phase) === 0);
        if (rounds >= enough) expect(missed).toEqual([]);
      } finally {
        await shared.dispose();
      }
    },
  );
});
