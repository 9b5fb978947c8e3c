import { describe, expect, it } from 'vitest';
import { contextCommand } from '../../../apps/commands/context.ts';
import type { ToolSpec } from '../../../ports/provider.ts';

const tools: ToolSpec[] = [
  { name: 'zeta', description: 'é', inputSchema: {} },
  { name: 'alpha', description: '', inputSchema: { type: 'object' } },
];
const parts = [
  { name: 'base prompt', bytes: 3000 },
  { name: 'environment', bytes: 150 },
];

function run(json: boolean): string {
  let out = '';
  expect(contextCommand({ tools, parts, json }, { stdout: (text) => (out += text) })).toBe(0);
  return out;
}

describe('contextCommand', () => {
  it('gives the bytes of each part as JSON, in the order in which they are sent', () => {
    expect(JSON.parse(run(true))).toEqual({
      parts: [
        { name: 'tool alpha', bytes: 66 },
        { name: 'tool zeta', bytes: 52 },
        { name: 'base prompt', bytes: 3000 },
        { name: 'environment', bytes: 150 },
      ],
      total: 3268,
      system: 3150,
      tools: 118,
    });
  });

  it('gives them as a table', () => {
    expect(run(false)).toBe(
      [
        'tool alpha                66 bytes',
        'tool zeta                 52 bytes',
        'base prompt             3000 bytes',
        'environment              150 bytes',
        'tools together           118 bytes',
        'system prompt together  3150 bytes',
        'total                   3268 bytes',
        '',
      ].join('\n'),
    );
  });
});
