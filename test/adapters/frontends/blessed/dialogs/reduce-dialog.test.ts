import { describe, expect, it } from 'vitest';
import { matchingChoices } from '../../../../../adapters/frontends/blessed/dialogs/matches.ts';
import { openDialog } from '../../../../../adapters/frontends/blessed/dialogs/open-dialog.ts';
import {
  reduceDialog,
  type DialogStep,
} from '../../../../../adapters/frontends/blessed/dialogs/reduce-dialog.ts';
import type { DialogState } from '../../../../../adapters/frontends/blessed/dialogs/dialog-state.ts';
import type { Input } from '../../../../../adapters/frontends/blessed/terminal/input.ts';
import type { Dialog } from '../../../../../adapters/frontends/host.ts';

const key = (name: string): Input => ({ type: 'key', name });
const text = (typed: string): Input => ({ type: 'text', text: typed });
const paste = (pasted: string): Input => ({ type: 'paste', text: pasted });

function steps(dialog: Dialog, ...inputs: Input[]): DialogStep[] {
  const found: DialogStep[] = [];
  let state: DialogState | null = openDialog(dialog);
  for (const input of inputs) {
    if (state === null) break;
    const step: DialogStep = reduceDialog(state, input, { rows: 5 });
    found.push(step);
    state = step.state;
  }
  return found;
}

const last = (dialog: Dialog, ...inputs: Input[]) => steps(dialog, ...inputs).at(-1);
const selected = (dialog: Dialog, ...inputs: Input[]) => last(dialog, ...inputs)?.state?.selected;
const labels = (dialog: Dialog, query: string) =>
  matchingChoices({ dialog, query }).map(({ label }) => label);

const letters = 'abcdefgh'.split('').map((value) => ({ value, label: `choice ${value}` }));
const list: Dialog = { id: 'list', title: 'List', choices: letters };
const models: Dialog = {
  id: 'models',
  title: 'Models',
  filter: true,
  choices: [
    { value: 'mini', label: 'gpt-5-mini', group: 'OpenAI', detail: 'small' },
    { value: 'gpt', label: 'gpt-5', group: 'OpenAI', detail: 'large' },
    { value: 'opus', label: 'opus', group: 'Anthropic', detail: 'large', current: true },
    { value: 'off', label: 'qwen', group: 'Ollama', disabled: 'no server answers' },
    { value: 'nano', label: 'gpt-5-nano', group: 'OpenAI', detail: 'smaller' },
  ],
};
const ask: Dialog = { id: 'ask', title: 'Ask', ask: { label: 'Name', initial: 'one two' } };

describe('a list', () => {
  it('marks what is in force first, or what is asked for', () => {
    expect(matchingChoices(openDialog(models))[openDialog(models).selected]?.value).toBe('opus');
    const other = { ...models, selected: 4 };
    expect(matchingChoices(openDialog(other))[openDialog(other).selected]?.value).toBe('nano');
  });

  it('moves by steps that go round and by pages that do not', () => {
    expect(selected(list, key('down'), key('ctrl+n'))).toBe(2);
    expect(selected(list, key('up'))).toBe(7);
    expect(selected(list, key('ctrl+p'), key('down'))).toBe(0);
    expect(selected(list, key('pagedown'))).toBe(4);
    expect(selected(list, key('pagedown'), key('pagedown'))).toBe(7);
    expect(selected(list, key('end'), key('pageup'))).toBe(3);
    expect(selected(list, key('end'), key('home'))).toBe(0);
  });

  it('is answered by enter alone; a digit marks, other text does nothing', () => {
    const answers = steps(
      list,
      text('b'),
      text('3'),
      text('9'),
      text('y'),
      text(' '),
      paste('a\n'),
      key('tab'),
    );
    expect(answers.map(({ chosen }) => chosen)).toEqual(answers.map(() => undefined));
    expect(last(list, text('3'), key('enter'))?.chosen).toBe('c');
    expect(selected(list, text('3'), text('9'))).toBe(2);
  });

  it('stays open when it is answered', () => {
    expect(last(list, key('enter'))).toEqual({ state: openDialog(list), chosen: 'a' });
  });

  it('does not choose what is disabled, nor anything of an empty list', () => {
    expect(last(models, text('qwen'), key('enter'))?.chosen).toBeUndefined();
    expect(last(models, text('zzz'), key('enter'))?.chosen).toBeUndefined();
    expect(last({ id: 'none', title: '', choices: [] }, key('down'), key('enter'))?.chosen).toBeUndefined();
  });

  it('is left by escape, which sends what leaving stands for', () => {
    expect(last(list, key('escape'))).toEqual({ state: null, left: true });
    expect(last({ ...list, leave: 'no' }, key('escape'))).toEqual({ state: null, left: true, chosen: 'no' });
  });
});

describe('a filter', () => {
  it('keeps groups together in the order of their nearest rows', () => {
    expect(labels(models, '')).toEqual(['gpt-5-mini', 'gpt-5', 'gpt-5-nano', 'opus', 'qwen']);
    expect(labels(models, 'gpt-5')).toEqual(['gpt-5', 'gpt-5-mini', 'gpt-5-nano']);
    expect(labels(models, 'large')).toEqual(['gpt-5', 'opus']);
  });

  it('finds by label, detail and group, by every word, and by letters in order within labels', () => {
    expect(labels(models, 'anthropic')).toEqual(['opus']);
    expect(labels(models, 'openai small')).toEqual(['gpt-5-mini', 'gpt-5-nano']);
    expect(labels(models, 'g5n')).toEqual(['gpt-5-nano', 'gpt-5-mini']);
    expect(labels(models, 'anthropic gpt')).toEqual([]);
  });

  it('marks the nearest while something is typed, and what is in force when it is gone again', () => {
    const typed = steps(models, text('gp'), key('down'), text('t'), key('backspace'), key('ctrl+u'));
    expect(typed.map(({ state }) => [state?.query, state?.selected])).toEqual([
      ['gp', 0],
      ['gp', 1],
      ['gpt', 0],
      ['gp', 0],
      ['', 3],
    ]);
  });

  it('takes a digit as text', () => {
    expect(last(models, text('5'))?.state?.query).toBe('5');
  });
});

describe('previews', () => {
  const themes: Dialog = { ...list, previews: true };
  it('tell each newly marked choice, and null when the dialog is left', () => {
    const told = steps(themes, key('down'), key('home'), key('home'), key('escape'));
    expect(told.map(({ marked }) => marked)).toEqual(['b', 'a', undefined, null]);
  });
  it('tell null where nothing matches', () => {
    expect(last({ ...themes, filter: true }, text('zzz'))?.marked).toBeNull();
  });
});

describe('a line to type', () => {
  const typed = (...inputs: Input[]) => {
    const state = last(ask, ...inputs)?.state;
    return [state?.typed, state?.cursor];
  };
  it('is edited with the usual keys', () => {
    expect(typed(text('你'))).toEqual(['one two你', 8]);
    expect(typed(key('ctrl+w'))).toEqual(['one ', 4]);
    expect(typed(key('ctrl+a'), text('x'))).toEqual(['xone two', 1]);
    expect(typed(key('ctrl+a'), key('ctrl+e'), text('!'))).toEqual(['one two!', 8]);
    expect(typed(key('left'), key('left'), key('ctrl+u'))).toEqual(['wo', 0]);
    expect(typed(key('home'), key('delete'))).toEqual(['ne two', 0]);
    expect(typed(key('alt+b'), key('ctrl+k'))).toEqual(['one ', 4]);
  });

  it('moves and deletes by what a reader takes for one character', () => {
    expect(typed(text('👨‍👩‍👧'), key('left'))).toEqual(['one two👨‍👩‍👧', 7]);
    expect(typed(text('e\u0301'), key('backspace'))).toEqual(['one two', 7]);
  });

  it('takes a paste as one line, which sends nothing', () => {
    expect(last(ask, key('ctrl+u'), paste('  sk-1\n sk-2\n'))).toEqual({
      state: { ...openDialog(ask), typed: 'sk-1 sk-2', cursor: 9 },
    });
  });

  it('is sent by enter', () => {
    expect(last(ask, key('enter'))?.chosen).toBe('one two');
  });
});

describe('while the host works on the answer', () => {
  const busy = { ...openDialog(ask), busySince: 5 };
  it('escape abandons it, and the dialog can be answered anew', () => {
    expect(reduceDialog(busy, key('escape'), { rows: 5 })).toEqual({ state: openDialog(ask), left: true });
  });
  it('nothing else does anything', () => {
    for (const input of [key('enter'), key('down'), text('a'), paste('b')]) {
      expect(reduceDialog(busy, input, { rows: 5 })).toEqual({ state: busy });
    }
  });
});
