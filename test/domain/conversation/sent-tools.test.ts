import { describe, expect, it } from 'vitest';
import { sentTools } from '../../../domain/conversation/sent-tools.ts';
import type { JsonSchema } from '../../../ports/provider.ts';
import { agentHarness, testTools } from '../agent-harness.ts';

const sent = (inputSchema: unknown) =>
  sentTools([{ name: 't', description: 'd', inputSchema: inputSchema as JsonSchema }])[0]?.inputSchema;

const a = { type: 'string' };
const nothing = { type: 'object', properties: {} };

describe('an odd schema of a tool', () => {
  it.each<[string, unknown, unknown]>([
    ['none', undefined, nothing],
    ['null', null, nothing],
    ['a list', [a], nothing],
    ['a text', 'object', nothing],
    ['one of a text', { type: 'string', minLength: 1 }, nothing],
    ['an empty one', {}, nothing],
    ['one without fields', { type: 'object' }, nothing],
    ['one whose fields are none', { type: 'object', properties: [a] }, nothing],
    ['one without a type', { properties: { a } }, { type: 'object', properties: { a } }],
    [
      'one with two types',
      { type: ['object', 'null'], properties: { a } },
      { ...nothing, properties: { a } },
    ],
    [
      'one that names its dialect',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { $schema: a } },
      { type: 'object', properties: { $schema: a } },
    ],
    ['one that requires no names', { ...nothing, required: true }, nothing],
    [
      'alternatives',
      { anyOf: [{ properties: { a } }, true, { properties: { b: a }, required: ['b'] }], not: {} },
      { type: 'object', properties: { a, b: a } },
    ],
    [
      'alternatives beside fields',
      { type: 'object', properties: { a }, required: ['a'], oneOf: [{ required: ['a'] }], allOf: 'x' },
      { type: 'object', properties: { a }, required: ['a'] },
    ],
  ])('is sent as one of an object: %s', (_what, schema, expected) => {
    expect(sent(schema)).toEqual(expected);
    expect(sent(expected)).toBe(expected);
  });

  it('keeps what is no oddity, byte for byte', () => {
    const schema = { description: 'x', type: 'object', properties: { a }, required: ['a'], title: 't' };
    expect(sent(schema)).toBe(schema);
    const specs = testTools.map(({ spec }) => spec);
    expect(sentTools(specs)).toEqual(specs);
  });

  it('is repaired in a new session and in an older one alike', async () => {
    const [tool] = testTools;
    const odd = { ...tool!, spec: { name: 'odd', description: 'd', inputSchema: undefined as never } };
    const fresh = agentHarness([{ text: 'fine' }], { tools: [odd] });
    await fresh.prompt('go');
    const context = { type: 'context' as const, reason: 'startup' as const, system: 's', tools: [odd.spec] };
    const old = agentHarness([{ text: 'fine' }], { tools: [odd], entries: [context] });
    await old.prompt('go');
    for (const { provider } of [fresh, old])
      expect(provider.requests[0]?.tools).toEqual([{ ...odd.spec, inputSchema: nothing }]);
    expect(fresh.entries[0]).toMatchObject({ type: 'context', tools: [{ inputSchema: nothing }] });
  });
});
