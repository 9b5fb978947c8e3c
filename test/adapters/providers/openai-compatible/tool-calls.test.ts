import { describe, expect, it } from 'vitest';
import { ChatReply } from '../../../../adapters/providers/openai-compatible/reply.ts';
import { ToolCalls } from '../../../../adapters/providers/openai-compatible/tool-calls.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';

/** What is shown of these deltas, and the calls they make; ids that were made up are `made up`. */
function read(...deltas: object[]) {
  const calls = new ToolCalls(fakeIds());
  const shown = deltas.flatMap((delta) => calls.take([delta]));
  const blocks = calls.blocks().map(({ id, name, input }) => [id.replace(/^lk_.*/, 'made up'), name, input]);
  return { shown, blocks };
}

const inputs = (shown: ReturnType<typeof read>['shown']) =>
  shown.flatMap((delta) => (delta.kind === 'tool_input' ? [`${delta.index} ${delta.json}`] : []));

describe('the calls of a Chat Completions answer', () => {
  it('are shown once where arguments come as an object and again', () => {
    const whole = { path: 'a.ts' };
    const { shown, blocks } = read(
      { index: 0, id: 'a', function: { name: 'read', arguments: whole } },
      { index: 0, id: 'a', function: { arguments: '' } },
      { index: 0, function: { name: 'read', arguments: whole } },
      { index: 0, function: { arguments: 'x' } },
    );
    expect(inputs(shown)).toEqual(['0 {"path":"a.ts"}']);
    expect(blocks).toEqual([['a', 'read', whole]]);
  });

  it('stand in the order in which they were shown, though a name comes late', () => {
    const { shown, blocks } = read(
      { index: 0, id: 'a', function: { arguments: '{"n":' } },
      { index: 1, id: 'b', function: { name: 'grep', arguments: '{}' } },
      { index: 0, function: { name: 'read', arguments: '1}' } },
    );
    expect(shown.flatMap((delta) => (delta.kind === 'tool_start' ? [delta.name] : []))).toEqual([
      'grep',
      'read',
    ]);
    expect(inputs(shown)).toEqual(['0 {}', '1 {"n":', '1 1}']);
    expect(blocks).toEqual([
      ['b', 'grep', {}],
      ['a', 'read', { n: 1 }],
    ]);
  });

  it.each<[string, object[], unknown[]]>([
    [
      'an index that is text',
      [
        { index: '0', id: 'a', function: { name: 'read', arguments: '{"n":' } },
        { index: '0', function: { arguments: '1}' } },
      ],
      [['a', 'read', { n: 1 }]],
    ],
    [
      'one id for two calls',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } },
        { index: 1, id: 'a', function: { name: 'grep', arguments: '{}' } },
      ],
      [
        ['a', 'read', {}],
        ['made up', 'grep', {}],
      ],
    ],
    [
      'names alone',
      [
        { function: { name: 'read', arguments: '' } },
        { function: { arguments: '{"n":1}' } },
        { function: { name: 'read' } },
      ],
      [
        ['made up', 'read', { n: 1 }],
        ['made up', 'read', {}],
      ],
    ],
    ['no name at all', [{ index: 0, id: 'a', function: { arguments: '{}' } }, { index: 1 }], []],
    [
      'no shape',
      [
        { index: 0, function: null },
        { function: [], id: 3 },
      ],
      [],
    ],
  ])('are read by what there is: %s', (_, deltas, expected) => {
    expect(read(...deltas).blocks).toEqual(expected);
  });

  it('are shown after the blanks that come before them', () => {
    const reply = new ChatReply('local', 'm', fakeIds());
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } };
    const deltas = [{ content: '\n\n' }, { tool_calls: [call] }]
      .map((delta) => ({ choices: [{ index: 0, delta }] }))
      .flatMap((json) => reply.take({ event: null, data: JSON.stringify(json), json }));
    expect([...deltas, ...reply.rest()].map(({ kind }) => kind)).toEqual([
      'text',
      'tool_start',
      'tool_input',
    ]);
  });
});
