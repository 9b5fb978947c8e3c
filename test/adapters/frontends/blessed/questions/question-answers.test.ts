import { describe, expect, it } from 'vitest';
import {
  askedBy,
  drawnQuestion,
  reduceQuestion,
} from '../../../../../adapters/frontends/blessed/questions/reduce-question.ts';
import type { Input } from '../../../../../adapters/frontends/blessed/terminal/input.ts';
import { after, key, request, room, rowsOf, shownQuestion, text } from './question-harness.ts';

const answerOf = (question: ReturnType<typeof shownQuestion>, inputs: readonly Input[]) => {
  const { answer, stop } = after(question, inputs);
  return { answer, stop };
};

describe('answers to a permission question', () => {
  it.each([
    ['y allows once', {}, [text('y')], { answer: { allow: true } }],
    ['esc denies and stops', {}, [key('escape')], { answer: { allow: false }, stop: true }],
    ['n without a reason', {}, [text('n'), key('enter')], { answer: { allow: false } }],
    [
      'n with a reason, without its own letter',
      {},
      [text('n'), text('n'), text('o'), { type: 'paste', text: ' use\nmake ' }, key('enter')],
      { answer: { allow: false, reason: 'nouse make' } },
    ],
    ['esc goes back from a reason', {}, [text('n'), key('escape')], {}],
    [
      'a saves the rule as shown',
      {},
      [text('a'), key('enter')],
      { answer: { allow: true, always: true, rule: 'bash(npm run build*)' } },
    ],
    [
      'a saves the rule as edited',
      {},
      [text('a'), key('ctrl+u'), text('bash(npm*)'), key('enter')],
      { answer: { allow: true, always: true, rule: 'bash(npm*)' } },
    ],
    ['no rule is no answer', {}, [text('a'), key('ctrl+u'), text(' '), key('enter')], {}],
    ['a without a rule to suggest does nothing', { suggested_rule: null }, [text('a'), key('enter')], {}],
    [
      'm allows and goes on in the mode',
      { suggested_mode: 'accept-edits' },
      [text('m')],
      { answer: { allow: true, mode: 'accept-edits' } },
    ],
    ['m without a mode does nothing', {}, [text('m')], {}],
    [
      'y approves a plan',
      { tool_name: 'exit_plan_mode', suggested_rule: null },
      [text('y')],
      { answer: { allow: true } },
    ],
    [
      'a approves a plan and accepts edits',
      { tool_name: 'exit_plan_mode', suggested_rule: null },
      [text('a')],
      { answer: { allow: true, mode: 'accept-edits' } },
    ],
  ] as const)('%s', (_, fields, inputs, expected) => {
    expect(answerOf(shownQuestion(fields), inputs)).toEqual({
      answer: undefined,
      stop: undefined,
      ...expected,
    });
  });

  it.each<Input>([
    { type: 'paste', text: 'y' },
    { type: 'focus', on: true },
    { type: 'mouse', what: 'press', x: 3, y: 3 },
    { type: 'mouse', what: 'release', x: 3, y: 3 },
    key('enter'),
    key('shift+tab'),
    key('space'),
    key('tab'),
    key('ctrl+y'),
    text('yes'),
    text('Yy'),
    text('\r'),
    text('я'),
  ])('nothing is answered by %o', (input) => {
    expect(after(shownQuestion(), [input]).answer).toBeUndefined();
  });
});

describe('the quiet time of a permission question', () => {
  it.each([
    ['before its first frame', null, 5000, undefined],
    ['299 ms after it', 1000, 1299, undefined],
    ['300 ms after it', 1000, 1300, { allow: true }],
  ])('y %s', (_, shownAt, now, expected) => {
    const asked = askedBy(request());
    const question = shownAt === null ? { ...asked, endSeen: true } : drawnQuestion(asked, shownAt, room);
    expect(reduceQuestion(question, text('y'), { ...room, now }).answer).toEqual(expected);
  });

  it('does not begin anew with later frames', () => {
    const question = drawnQuestion(shownQuestion(), 1290, room);
    expect(reduceQuestion(question, text('y'), { ...room, now: 1300 }).answer).toEqual({ allow: true });
  });

  it('drops escape and arrows too', () => {
    const step = after(shownQuestion(), [key('escape'), text('n'), key('down')], 1100);
    expect([step.answer, step.question.typing, step.question.scroll]).toEqual([undefined, null, 0]);
  });

  it('lasts while a key is held down, until it was let go for as long', () => {
    const held = Array.from({ length: 60 }, () => text('y'));
    const { question, answer } = after(shownQuestion(), held, 1010, 30);
    const last = 1010 + 59 * 30;
    expect(answer).toBeUndefined();
    expect(reduceQuestion(question, text('y'), { ...room, now: last + 299 }).answer).toBeUndefined();
    expect(reduceQuestion(question, text('y'), { ...room, now: last + 300 }).answer).toEqual({ allow: true });
  });

  it('never holds escape up for longer', () => {
    const { question } = after(shownQuestion(), [text('y'), text('y')], 1250, 40);
    expect(reduceQuestion(question, key('escape'), { ...room, now: 1310 })).toMatchObject({
      answer: { allow: false },
      stop: true,
    });
  });
});

describe('the end of what is asked about', () => {
  const command = Array.from({ length: 40 }, (_, at) => `echo ${at}`).join('\n');

  it('is seen before anything but escape settles the question', () => {
    const question = shownQuestion({ input: { command } });
    for (const letter of ['y', 'a', 'n', 'm']) {
      const step = after(question, [text(letter), key('enter')]);
      expect([step.answer, step.question.typing]).toEqual([undefined, null]);
    }
    expect(after(question, [key('escape')]).answer).toEqual({ allow: false });
    expect(rowsOf(question).join('\n')).toContain('scroll to the end first');
  });

  it('counts once its frame was drawn, not when the key came', () => {
    const question = shownQuestion({ input: { command } });
    const { question: moved } = reduceQuestion(question, key('end'), { ...room, now: 2000 });
    expect(reduceQuestion(moved, text('y'), { ...room, now: 2001 }).answer).toBeUndefined();
    expect(after(question, [key('end'), text('y')]).answer).toEqual({ allow: true });
    expect(after(question, [key('end'), key('home'), text('y')]).answer).toEqual({ allow: true });
  });

  it.each([
    ['down', key('down'), 1],
    ['page down', key('pagedown'), 7],
    ['space', text(' '), 7],
    ['end', key('end'), 32],
    ['the wheel', { type: 'mouse', what: 'wheel_down', x: 0, y: 0 }, 3],
  ] as const)('is reached by %s', (_, input, scroll) => {
    expect(after(shownQuestion({ input: { command } }), [input]).question.scroll).toBe(scroll);
  });

  it('is not passed, nor the beginning', () => {
    const question = shownQuestion({ input: { command } });
    const { scroll } = after(question, [key('end')]).question;
    expect(after(question, [key('end'), key('down'), key('pagedown')]).question.scroll).toBe(scroll);
    expect(after(question, [key('end'), key('home'), key('up')]).question.scroll).toBe(0);
  });
});
