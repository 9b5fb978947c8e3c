import { describe, expect, it } from 'vitest';
import { keyDescriptions } from '../../adapters/settings/descriptions.ts';
import { settingsJsonSchema } from '../../apps/schemas.ts';

interface Node {
  description?: string;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
}

/** Every key of the schema with what it says, `*` for names that are free. */
function keysOf(node: Node, path: string[] = []): [string, string | undefined][] {
  const inner = [
    ...Object.entries(node.properties ?? {}),
    ...(typeof node.additionalProperties === 'object' ? [['*', node.additionalProperties] as const] : []),
  ];
  return inner.flatMap(([name, next]) => [
    [[...path, name].join('.'), next.description] as [string, string | undefined],
    ...keysOf(next, [...path, name]),
  ]);
}

describe('the published schema of settings', () => {
  it('says of every key what it is, and of no other', () => {
    expect(Object.fromEntries(keysOf(settingsJsonSchema()))).toEqual(keyDescriptions);
  });

  it('takes $schema and refuses unknown keys', () => {
    expect(settingsJsonSchema()).toMatchObject({
      $schema: expect.stringContaining('json-schema.org'),
      type: 'object',
      properties: { $schema: { type: 'string' } },
      additionalProperties: false,
    });
  });
});
