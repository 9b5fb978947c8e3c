import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../../adapters/providers/wire/arguments.ts';

const broken = (rawInput: string) => ({ input: null, rawInput });

describe('parseArguments', () => {
  it.each([
    ['{"path":"a"}}', { input: { path: 'a' } }],
    ['{"path":"a"}]} \n', { input: { path: 'a' } }],
    ['{"path":"a"}{"path":"a"}', { input: { path: 'a' } }],
    ['{"path":"}\\""}\n{"path":"}\\""}', { input: { path: '}"' } }],
    ['{"path":"a"} \n', { input: { path: 'a' } }],
    ['{"path":"a"}{"path":"b"}', broken('{"path":"a"}{"path":"b"}')],
    ['{"path":', broken('{"path":')],
    ['[1]', { input: [1] }],
    ['"x"', { input: 'x' }],
    ['null', broken('null')],
  ])('MSG-16 takes from %s what is certain', (text, expected) => {
    expect(parseArguments(text)).toEqual(expected);
  });

  it.each(['', ' \n'])('takes nothing for an empty object: %j', (text) => {
    expect(parseArguments(text)).toEqual({ input: {} });
  });

  it('keeps the order of the keys', () => {
    expect(JSON.stringify(parseArguments('{"z":1,"a":{"y":2,"b":3}}'))).toBe(
      '{"input":{"z":1,"a":{"y":2,"b":3}}}',
    );
  });

  it('refuses what nests deeper than could be stored', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(parseArguments(deep)).toEqual(broken(deep));
  });
});
