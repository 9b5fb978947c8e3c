import { describe, expect, it } from 'vitest';
import { goOnAnswer, goOnText } from '../../../../adapters/frontends/plain/go-on.ts';
import { reachedLimit } from '../../../../adapters/frontends/reached-limit.ts';

const none = { budgetUsd: null };
const steps = reachedLimit({ stop_reason: 'max_steps', reason: '1 step was made' }, none)!;
const budget = reachedLimit({ stop_reason: 'budget' }, { budgetUsd: 0.5 })!;

describe('whether to go on past a limit, in lines', () => {
  it('is asked at a limit only', () => {
    expect(reachedLimit({ stop_reason: 'end_turn' }, none)).toBeNull();
    expect(reachedLimit({ stop_reason: 'budget' }, none)).toBeNull();
    expect(goOnText(steps)).toBe(
      'Question: 1 step was made. Go on with as many again?\ny: yes\nn: no, stop here',
    );
    expect(goOnText(budget)).toContain('the budget of $0.50 is used up');
  });

  it('takes yes, no, and an amount above the budget that is used up', () => {
    expect(goOnAnswer('y', steps)).toEqual({});
    expect(goOnAnswer('Yes ', budget)).toEqual({ budgetUsd: 1 });
    expect(goOnAnswer('$2.25', budget)).toEqual({ budgetUsd: 2.25 });
    expect(goOnAnswer('0.4', budget)).toBeNull();
    expect(goOnAnswer('2', steps)).toBeNull();
    expect(goOnAnswer('maybe', steps)).toBeNull();
    expect([goOnAnswer('n', steps), goOnAnswer('', budget)]).toEqual(['no', 'no']);
  });
});
