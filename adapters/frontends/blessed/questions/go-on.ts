import type { Limits } from '../../../../ports/settings.ts';
import { dollars, reachedLimit, type ReachedLimit, typedBudget } from '../../reached-limit.ts';
import type { Look } from '../look/glyphs.ts';
import type { Input } from '../terminal/input.ts';
import { span, type Drawn, type Line } from '../text/line.ts';
import type { QuestionRoom } from './question.ts';
import { bottomRow, boxLeft, boxOf, boxRow, hintRow, topRow } from './question-box.ts';
import type { Hint } from './question-words.ts';
import { dropped, isNew, isQuiet, shown, type Quiet } from './quiet-time.ts';
import { fieldOf, typedInto, type Field } from '../text/field.ts';
import { shownLine } from './shown-line.ts';

/** A turn ended at a limit, and the user may go on. */
export interface GoOn extends Quiet {
  limit: ReachedLimit;
  /** Another budget than the proposed one. */
  typing: Field | null;
}

/** `limits`: what is to be set before. */
export type GoOnAnswer = { goOn: true; limits: Partial<Limits> } | { goOn: false };

/** The question that the end of a turn brings up; null: none. */
export function goOnAfter(
  done: Parameters<typeof reachedLimit>[0],
  limits: Parameters<typeof reachedLimit>[1],
): GoOn | null {
  const limit = reachedLimit(done, limits);
  return limit === null ? null : { limit, shownAt: null, quietUntil: null, typing: null };
}

/**
 * The question after an input: y goes on, e changes the amount, n or escape stop here. Keys in its quiet
 * time, and all that is no such key, answer nothing.
 */
export function reduceGoOn(goOn: GoOn, input: Input, now: number): { goOn: GoOn; answer?: GoOnAnswer } {
  const { limit, typing, shownAt } = goOn;
  if (shownAt === null) return { goOn };
  if (typing !== null && limit.kind === 'budget') {
    if (input.type === 'key' && input.name === 'escape') return { goOn: { ...goOn, typing: null } };
    if (input.type === 'key' && input.name === 'enter') {
      const budgetUsd = typedBudget(typing.text, limit.budgetUsd);
      return budgetUsd === null ? { goOn } : { goOn, answer: { goOn: true, limits: { budgetUsd } } };
    }
    return { goOn: { ...goOn, typing: typedInto(typing, input) } };
  }
  if (input.type !== 'key' && input.type !== 'text') return { goOn };
  if (isNew(goOn, now)) return { goOn: dropped(goOn, now) };
  if (input.type === 'key' && input.name === 'escape') return { goOn, answer: { goOn: false } };
  if (isQuiet(goOn, now)) return { goOn: dropped(goOn, now) };
  if (input.type === 'key') return { goOn };
  switch (input.text.toLowerCase()) {
    case 'y':
      // Each turn has its steps anew.
      return {
        goOn,
        answer: { goOn: true, limits: limit.kind === 'budget' ? { budgetUsd: limit.proposedUsd } : {} },
      };
    case 'n':
      return { goOn, answer: { goOn: false } };
    case 'e':
      return limit.kind === 'budget'
        ? { goOn: { ...goOn, typing: fieldOf(`${limit.proposedUsd}`) } }
        : { goOn };
    default:
      return { goOn };
  }
}

/** Its frame is on the screen: its quiet time begins. */
export function drawnGoOn(goOn: GoOn, now: number): GoOn {
  return shown(goOn, now);
}

function hintsOf({ limit, typing }: GoOn): Hint[] {
  if (typing !== null && limit.kind === 'budget') {
    const isAmount = typedBudget(typing.text, limit.budgetUsd) !== null;
    return [
      isAmount
        ? { key: 'enter', long: 'go on with this budget', short: 'go on' }
        : { key: '', long: `more than ${dollars(limit.budgetUsd)}, in USD`, short: 'more USD' },
      { key: 'esc', long: 'back', short: 'back' },
    ];
  }
  const more = limit.kind === 'steps' ? 'as many again' : `a budget of ${dollars(limit.proposedUsd)}`;
  return [
    { key: 'y', long: `go on with ${more}`, short: 'go on' },
    ...(limit.kind === 'budget' ? [{ key: 'e', long: 'another amount', short: 'amount' }] : []),
    { key: 'n', long: 'stop here', short: 'stop' },
  ];
}

/** The question in its box: a title with what is used up, and the keys. */
export function drawGoOn(goOn: GoOn, { columns, mostRows, look }: QuestionRoom & { look: Look }): Drawn {
  const { glyphs } = look;
  const { limit, typing } = goOn;
  const box = boxOf(columns);
  const said =
    limit.kind === 'steps'
      ? `${limit.made}. Go on?`
      : `The budget of ${dollars(limit.budgetUsd)} is used up. Go on?`;
  const label = 'USD ';
  const typed = typing === null ? null : shownLine(typing, Math.max(1, box.inner - label.length));
  const rows: Line[] = [boxRow(hintRow(hintsOf(goOn), box, glyphs), box, glyphs)];
  const typedRow = typed?.rows[typed.cursor.y];
  const hasTyped = typedRow !== undefined && mostRows >= 2;
  if (hasTyped) rows.unshift(boxRow([span(label, { tone: 'accent' }), span(typedRow)], box, glyphs));
  const hasTitle = mostRows > rows.length;
  if (hasTitle) rows.unshift(topRow([span(said, { bold: true })], '', box, glyphs));
  if (mostRows > rows.length) rows.push(bottomRow(box, glyphs));
  return {
    rows,
    cursor:
      hasTyped && typed !== null
        ? { x: boxLeft(box) + label.length + typed.cursor.x, y: hasTitle ? 1 : 0 }
        : null,
  };
}
