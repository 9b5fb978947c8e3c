import { describe, expect, it } from 'vitest';
import { defineTool, PortError, z } from '../../../plugins/sdk/index.ts';
import type { ToolContext } from '../../../plugins/sdk/index.ts';

const tool = defineTool({
  name: 'sample',
  description: 'A sample.',
  effect: 'write',
  input: z.object({
    path: z.string().describe('A path'),
    limit: z.number().int().min(1).max(50).optional().describe('Lines'),
    replace_all: z.boolean().optional().describe('All'),
    mode: z.enum(['a', 'b']).optional().describe('Which'),
    edits: z
      .array(z.object({ old_string: z.string().describe('Old'), new_string: z.string().describe('New') }))
      .optional()
      .describe('Changes'),
  }),
  run: async ({ path }) => ({ content: path }),
});

const parse = (input: unknown) => tool.parse(input);
const ok = (input: Record<string, unknown>) => ({ ok: true, input });

describe('defineTool', () => {
  it('gives a flat schema without what vendors refuse', () => {
    expect(tool.spec).toEqual({
      name: 'sample',
      description: 'A sample.',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'A path' },
          limit: { type: 'integer', description: 'Lines' },
          replace_all: { type: 'boolean', description: 'All' },
          mode: { type: 'string', description: 'Which', enum: ['a', 'b'] },
          edits: {
            type: 'array',
            description: 'Changes',
            items: {
              type: 'object',
              properties: {
                old_string: { type: 'string', description: 'Old' },
                new_string: { type: 'string', description: 'New' },
              },
              required: ['old_string', 'new_string'],
            },
          },
        },
        required: ['path'],
      },
    });
    expect(JSON.stringify(tool.spec)).toBe(JSON.stringify(structuredClone(tool.spec)));
  });

  it('runs a writing tool alone unless it says otherwise', () => {
    const { input, name, description } = { input: z.object({}), name: 'x', description: 'x' };
    const run = async () => ({ content: '' });
    const make = (effect: 'read' | 'network' | 'write', parallel?: boolean) =>
      defineTool({ name, description, input, run, effect, ...(parallel === undefined ? {} : { parallel }) });
    expect(
      [make('read'), make('network'), make('write'), make('write', true)].map((t) => t.parallel),
    ).toEqual([true, true, false, true]);
  });

  it.each([
    ['another name', { file_path: 'a' }, { path: 'a' }],
    ['another name in the same words', { path: 'a', filePath: 'a' }, { path: 'a' }],
    ['a number in quotes', { path: 'a', limit: '10' }, { path: 'a', limit: 10 }],
    ['a boolean in quotes', { path: 'a', replace_all: 'True' }, { path: 'a', replace_all: true }],
    [
      'a list as a string, with other names inside',
      { path: 'a', edits: '[{"old_str":"x","newText":"y"}]' },
      { path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] },
    ],
    ['null for an absent field', { path: 'a', limit: null, mode: null }, { path: 'a' }],
    ['an alias beside null', { path: null, filepath: 'a' }, { path: 'a' }],
    ['unknown fields', { path: 'a', colour: 'red' }, { path: 'a' }],
    ['the whole input as a string', '{"path":"a"}', { path: 'a' }],
  ])('repairs %s', (_, sent, expected) => {
    expect(parse(sent)).toEqual(ok(expected));
  });

  it('keeps a string that looks like a number', () => {
    expect(parse({ path: '12' })).toEqual(ok({ path: '12' }));
  });

  it.each([
    [
      { path: 'a', file_path: 'b' },
      'sample: `path` and `file_path` both stand for `path` and differ ("a" and "b"). Send only `path`.',
    ],
    [
      { edits: [{ old_string: 'x', old_str: 'y', new_string: 'z' }], path: 'a' },
      'sample: `old_string` and `old_str` both stand for `old_string` and differ ("x" and "y"). ' +
        'Send only `old_string`.',
    ],
    [
      { paht: 'a' },
      'sample did not run: its input is not valid.\n' +
        '- `path` is missing: expected a string (A path). You sent `paht`; the field is called `path`.',
    ],
    [
      { path: 7 },
      'sample did not run: its input is not valid.\n- `path`: expected a string (A path); got 7.',
    ],
    [
      { path: 'a', limit: 0, mode: 'c' },
      'sample did not run: its input is not valid.\n' +
        '- `limit`: expected a whole number from 1 to 50; got 0.\n' +
        '- `mode`: expected one of "a", "b"; got "c".',
    ],
    [
      { path: 'a', edits: [{ old_string: 'x' }] },
      'sample did not run: its input is not valid.\n' +
        '- `edits[0].new_string` is missing: expected a string (New).',
    ],
    [['a'], 'sample: the input must be one JSON object; got ["a"]'],
  ])('says what is wrong with %j', (sent, error) => {
    expect(parse(sent)).toEqual({ ok: false, error });
  });

  it.each([
    [z.number().int().min(1), 0, 'a whole number, at least 1; got 0'],
    [z.number().int().min(1), 1.5, 'a whole number, at least 1; got 1.5'],
    [z.number().int().positive(), 0, 'a whole number, above 0; got 0'],
    [z.number().int().min(1), 1e300, 'a whole number, at least 1, at most 9007199254740991; got 1e+300'],
    [z.number().max(2), 3, 'a number, at most 2; got 3'],
    [z.number().gt(1).lt(2), 2, 'a number, above 1 and below 2; got 2'],
    [z.number().multipleOf(5), 3, 'a number, a multiple of 5; got 3'],
    [z.string().min(1), '', 'a string, at least 1 character; got ""'],
    [z.string().max(2), 'abc', 'a string, at most 2 characters; got "abc"'],
    [z.string().regex(/^a+$/), 'b', 'a string that must match pattern /^a+$/; got "b"'],
    [z.string().startsWith('a'), 'b', 'a string that must start with "a"; got "b"'],
    [z.email(), 'b', 'a string that must be a valid email address; got "b"'],
    [z.array(z.string()).min(2), ['a'], 'a list, at least 2 entries; got ["a"]'],
    [z.string().min(1, 'Give a name.'), '', 'a string (Give a name.); got ""'],
    [z.string().refine((text) => text !== 'a', 'not a'), 'a', 'a string (not a); got "a"'],
  ])('says in its own words which rule is broken: %#', (field, sent, told) => {
    const one = defineTool({
      name: 'one',
      description: 'd',
      effect: 'read',
      input: z.object({ x: field }),
      run: async () => ({ content: '' }),
    });
    expect(one.parse({ x: sent })).toEqual({
      ok: false,
      error: `one did not run: its input is not valid.\n- \`x\`: expected ${told}.`,
    });
  });

  it('cuts what came to 200 characters', () => {
    const result = parse({ path: { x: 'é'.repeat(5000) } });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/got \{"x":"é+…\.$/) });
    expect(result.ok ? 0 : result.error.length).toBeLessThan(320);
  });

  it.each([null, undefined, 0, '', '[', [], true, { __proto__: null }, { path: { path: {} } }])(
    'never throws at %j',
    (sent) => {
      expect(parse(sent)).toMatchObject({ ok: false });
    },
  );

  it('turns a file error that was let through into a result', async () => {
    const failing = defineTool({
      name: 'f',
      description: 'f',
      effect: 'read',
      input: z.object({}),
      run: () => Promise.reject(new PortError('file', 'not_found', 'no such file: /x', { path: '/x' })),
    });
    expect(await failing.run({}, {} as ToolContext)).toEqual({ content: 'no such file: /x', isError: true });
  });
});
