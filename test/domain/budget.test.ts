import { expect, it } from 'vitest';
import { estimateUsage } from '../../domain/budget.ts';
import type { Message } from '../../ports/message.ts';

const request = { model: 'm', system: '', tools: [], maxTokens: 1, cacheKey: '' };

it('estimates what a server did not count, looking at each message once', () => {
  let looks = 0;
  const input = { toJSON: () => ((looks += 1), 'x'.repeat(68)) };
  const asked: Message = { role: 'user', blocks: [{ type: 'text', text: 'y'.repeat(33) }] };
  const call: Message = { role: 'assistant', blocks: [{ type: 'tool_use', id: '1', name: 'read', input }] };
  const answer: Message = { role: 'assistant', blocks: [{ type: 'text', text: 'z'.repeat(7) }] };
  for (let step = 0; step < 3; step += 1) {
    expect(estimateUsage({ ...request, messages: [asked, call] }, answer)).toEqual({
      input: 32,
      output: 2,
      cacheRead: 0,
      cacheWrite: 0,
    });
  }
  expect(looks).toBe(1);
});

it('estimates calls whose arguments are missing', () => {
  const call: Message = {
    role: 'assistant',
    blocks: [{ type: 'tool_use', id: '1', name: 'abc', input: undefined }],
  };
  expect(estimateUsage({ ...request, messages: [] }, call).output).toBe(2);
});
