import { describe, expect, it } from 'vitest';
import {
  drawGoOn,
  drawnGoOn,
  goOnAfter,
  reduceGoOn,
  type GoOn,
} from '../../../../../adapters/frontends/blessed/questions/go-on.ts';
import type { Input } from '../../../../../adapters/frontends/blessed/terminal/input.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { key, look, text } from './question-harness.ts';

function asked(stop_reason: 'max_steps' | 'budget'): GoOn {
  const goOn = goOnAfter({ stop_reason, reason: '200 steps were made' }, { budgetUsd: 5 });
  if (goOn === null) throw new Error('nothing is asked');
  return drawnGoOn(goOn, 1000);
}

function answer(goOn: GoOn, inputs: readonly Input[], now = 2000) {
  let step: ReturnType<typeof reduceGoOn> = { goOn };
  for (const input of inputs) step = reduceGoOn(step.goOn, input, now);
  return step.answer;
}

const rowsOf = (goOn: GoOn, columns = 80, mostRows = 5) =>
  drawGoOn(goOn, { columns, mostRows, look }).rows.map(textOf);

describe('going on past a limit', () => {
  it('is asked about at the limits only', () => {
    expect(goOnAfter({ stop_reason: 'end_turn' }, { budgetUsd: 5 })).toBeNull();
    expect(goOnAfter({ stop_reason: 'budget' }, { budgetUsd: null })).toBeNull();
  });

  it.each([
    ['max_steps', [text('y')], { goOn: true, limits: {} }],
    ['budget', [text('y')], { goOn: true, limits: { budgetUsd: 10 } }],
    ['budget', [text('n')], { goOn: false }],
    ['budget', [key('escape')], { goOn: false }],
    [
      'budget',
      [text('e'), key('ctrl+u'), text('7.5'), key('enter')],
      { goOn: true, limits: { budgetUsd: 7.5 } },
    ],
    ['budget', [text('e'), key('ctrl+u'), text('5'), key('enter')], undefined],
    ['budget', [text('e'), key('ctrl+u'), text('lots'), key('enter')], undefined],
    ['budget', [text('e'), key('escape')], undefined],
    ['max_steps', [text('e'), key('enter')], undefined],
    ['max_steps', [key('enter'), key('shift+tab'), { type: 'paste', text: 'y' }, text('yy')], undefined],
  ] as const)('after %s: %o', (reason, inputs, expected) => {
    expect(answer(asked(reason), inputs)).toEqual(expected);
  });

  it('takes no key within 300 ms, and none before it is shown', () => {
    expect(answer(asked('budget'), [text('y')], 1299)).toBeUndefined();
    expect(answer(asked('budget'), [text('y')], 1300)).toEqual({ goOn: true, limits: { budgetUsd: 10 } });
    expect(answer({ ...asked('budget'), shownAt: null, quietUntil: null }, [text('y')])).toBeUndefined();
  });

  it('says what is used up and what comes next', () => {
    expect(rowsOf(asked('max_steps'), 60)).toEqual([
      '╭─ 200 steps were made. Go on? ────────────────────────────╮',
      '│ y go on with as many again · n stop here                 │',
      '╰──────────────────────────────────────────────────────────╯',
    ]);
    expect(rowsOf(asked('budget'))[1]).toContain(
      'y go on with a budget of $10.00 · e another amount · n stop here',
    );
  });

  it.each([
    [20, 1],
    [20, 2],
    [24, 3],
    [80, 5],
  ])('fits %i columns and %i rows', (columns, mostRows) => {
    for (const goOn of [asked('budget'), reduceGoOn(asked('budget'), text('e'), 2000).goOn]) {
      const { rows, cursor } = drawGoOn(goOn, { columns, mostRows, look });
      expect(rows.length).toBeLessThanOrEqual(mostRows);
      expect(rows.filter((row) => lineCells(row) > columns)).toEqual([]);
      if (cursor !== null) expect(textOf(rows[cursor.y] ?? []).slice(0, cursor.x)).toMatch(/USD 10$/);
    }
  });
});
