import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerDangling,
  append,
  callsOf,
  interruptNotes,
  noResult,
  systemNote,
  textOf,
} from '../../../domain/conversation/conversation.ts';
import { interruptedByUser } from '../../../domain/prompt/notes.ts';
import { interrupted } from '../../../domain/prompt/refusals.ts';
import type { Block, Message } from '../../../ports/message.ts';

const text = (content: string): Block => ({ type: 'text', text: content });
const call = (id: string): Block => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, content = 'ok'): Block => ({ type: 'tool_result', id, name: 'read', content });
const user = (...blocks: Block[]): Message => ({ role: 'user', blocks });
const assistant = (...blocks: Block[]): Message => ({ role: 'assistant', blocks });
const build = (messages: Message[]): Message[] => messages.reduce<Message[]>(append, []);

/** I1 and I2, as far as a conversation that may still wait for results goes. */
function expectValid(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    expect(message.role).toBe(i % 2 === 0 ? 'user' : 'assistant');
    const next = messages[i + 1];
    if (message.role !== 'assistant' || next === undefined) return;
    const calls = callsOf(message);
    const head = next.blocks.slice(0, calls.length);
    expect(head.map((b) => (b.type === 'tool_result' ? b.id : null))).toEqual(calls.map((c) => c.id));
    expect(next.blocks.slice(calls.length).filter((b) => b.type === 'tool_result')).toEqual([]);
  });
}

describe('append', () => {
  it('joins neighbours of one role', () => {
    expect(build([user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d'))])).toEqual([
      user(text('a'), text('b')),
      assistant(text('c'), text('d')),
    ]);
  });

  it('puts results in the order of their calls, before everything else', () => {
    const messages = build([
      user(text('a')),
      assistant(call('1'), call('2')),
      user(text('b'), result('2'), result('1')),
    ]);
    expect(messages[2]).toEqual(user(result('1'), result('2'), text('b')));
  });

  it('answers a call without result, and drops a result without call', () => {
    const messages = build([user(text('a')), assistant(call('1')), user(result('9'), text('stop'))]);
    expect(messages[2]).toEqual(
      user({ type: 'tool_result', id: '1', name: 'read', content: noResult, isError: true }, text('stop')),
    );
  });

  it('leaves out a message without blocks, an answer to nobody, and results that answer nothing', () => {
    const asked = [user(text('a'))];
    expect(append(asked, assistant())).toEqual(asked);
    expect(append([], assistant(text('b')))).toEqual([]);
    expect(append([...asked, assistant(text('b'))], user(result('1')))).toEqual([
      ...asked,
      assistant(text('b')),
    ]);
    expect(append([], user(result('1')))).toEqual([]);
  });

  it('keeps who wrote the first part of an answer', () => {
    const first: Message = { ...assistant(text('b')), model: 'one' };
    expect(build([user(text('a')), first, { ...assistant(text('c')), model: 'two' }])[1]).toEqual({
      ...assistant(text('b'), text('c')),
      model: 'one',
    });
    expect(build([user(text('a')), first])[1]).toEqual(first);
  });

  it('answers two calls with one id by two results, in their order', () => {
    const messages = build([
      user(text('a')),
      assistant(call('1'), call('1')),
      user(result('1', 'first'), result('1', 'second')),
    ]);
    expect(messages[2]).toEqual(user(result('1', 'first'), result('1', 'second')));
  });

  it('never changes what it was given', () => {
    const before = build([user(text('a')), assistant(call('1'))]);
    const copy = structuredClone(before);
    append(before, user(text('b')));
    expect(before).toEqual(copy);
  });

  it('keeps every conversation valid, whatever comes (I1, I2)', () => {
    const id = fc.constantFrom('1', '2', '3');
    const block = fc.oneof(
      fc.constant(text('x')),
      id.map(call),
      id.map((i) => result(i)),
    );
    const userBlock = fc.oneof(
      fc.constant(text('x')),
      id.map((i) => result(i)),
    );
    const message = fc.oneof(
      fc
        .uniqueArray(block, { maxLength: 4, selector: (b) => JSON.stringify(b) })
        .map((bs) => assistant(...bs.filter((b) => b.type !== 'tool_result'))),
      fc.array(userBlock, { maxLength: 4 }).map((bs) => user(...bs)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) =>
        expectValid(answerDangling(build(messages))),
      ),
    );
  });
});

describe('answerDangling', () => {
  it('answers the calls at the end only, and adds nothing where there are none', () => {
    const asked = user(text('a'));
    const failed: Block = { type: 'tool_result', id: '1', name: 'read', content: noResult, isError: true };
    expect(noResult).toBe('Tool call was interrupted before it produced a result.');
    expect(answerDangling([])).toEqual([]);
    expect(answerDangling([asked])).toEqual([asked]);
    expect(answerDangling([asked, assistant(text('b'))])).toEqual([asked, assistant(text('b'))]);
    expect(answerDangling([asked, assistant(text('b'), call('1'))])).toEqual([
      asked,
      assistant(text('b'), call('1')),
      user(failed),
    ]);
  });
});

describe('what is read off a conversation', () => {
  it('the calls of a message, and no other block', () => {
    expect(callsOf(assistant(text('a'), call('1'), text('b'), call('2')))).toEqual([call('1'), call('2')]);
  });

  it('the text of a message, without blank blocks and other blocks', () => {
    expect(textOf(assistant(text('a'), text(' \n'), call('1'), text('b ')))).toBe('a\n\nb ');
    expect(textOf(assistant(call('1')))).toBe('');
  });

  it('whether the next prompt must speak of the interrupt', () => {
    const asked = [user(text('a')), assistant(call('1'))];
    expect(interruptNotes([])).toEqual([interruptedByUser]);
    expect(interruptNotes([...asked, user(result('1'))])).toEqual([interruptedByUser]);
    expect(interruptNotes([...asked, user(result('1'), result('2', `cut.\n${interrupted}`))])).toEqual([]);
    expect(interruptNotes([user(text(interrupted))])).toEqual([interruptedByUser]);
  });

  it('a note to the model is marked as such', () => {
    expect(systemNote('a')).toEqual(text('<system-note>a</system-note>'));
  });
});
