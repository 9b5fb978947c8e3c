import { expect, it } from 'vitest';
import { isWholeRun } from '../../../apps/start-up/program.ts';

it.each([
  [['-p', 'hi'], false, 300, true],
  [['hi', '--print'], false, 300, true],
  [[], true, 60_000, true],
  [[], true, 2_000, false],
  [['--version'], false, 60_000, false],
])(
  'keeps what was compiled after a whole run only: %j at a terminal %j after %i ms',
  (args, at, ms, whole) => {
    expect(isWholeRun(args, at, ms)).toBe(whole);
  },
);
