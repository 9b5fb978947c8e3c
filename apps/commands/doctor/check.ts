import { errorText } from '../../../ports/errors.ts';

/** What became of one check. `remedy`: what to do about it; null where nothing has to be done. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  name: string;
  text: string;
  remedy: string | null;
}

/** A finding, its level first. */
export const ok = (name: string, text: string): Finding => ({ level: 'ok', name, text, remedy: null });
export const warn = (name: string, text: string, remedy: string): Finding => ({
  level: 'warn',
  name,
  text,
  remedy,
});
export const fail = (name: string, text: string, remedy: string): Finding => ({
  level: 'fail',
  name,
  text,
  remedy,
});

/** One thing that is looked at. `run` may throw or never end: `runChecks` copes. */
export interface Check {
  name: string;
  run(): Promise<Finding[]>;
}

/** A check out of how its facts are had, and what they mean; the second is pure. */
export function check<Facts>(
  name: string,
  look: () => Promise<Facts> | Facts,
  judge: (facts: Facts) => Finding[],
): Check {
  return { name, run: async () => judge(await look()) };
}

async function bounded({ name, run }: Check, limitMs: number): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const text = `no answer within ${limitMs / 1000} s`;
    const remedy = 'try again; if it stays so, what it looks at hangs, such as a network drive or a server';
    timer = setTimeout(() => resolve([warn(name, text, remedy)]), limitMs);
  });
  const done = run().catch((error: unknown) => [
    warn(name, `cannot be looked at: ${errorText(error)}`, 'mend what it names, and run larik doctor again'),
  ]);
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the checks all at once, each for at most `limitMs`; the findings stand in the order of the checks. */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<Finding[]> {
  return (await Promise.all(checks.map((one) => bounded(one, limitMs)))).flat();
}
