import { describe, expect, it } from 'vitest';
import { anthropicRequest } from '../../../../adapters/providers/anthropic/request.ts';
import type { Block, Message } from '../../../../ports/message.ts';
import type { Effort } from '../../../../ports/provider.ts';

interface Asked {
  model?: string;
  effort?: Effort;
  messages?: Message[];
}

function bodyOf({ model = 'claude-opus-5-5', effort, messages = [] }: Asked) {
  const request = {
    model,
    system: '',
    messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: 'go' }] }, ...messages],
    tools: [],
    maxTokens: 32_000,
    cacheKey: 'c',
    ...(effort !== undefined && { effort }),
  };
  return anthropicRequest(request, { provider: 'anthropic', dropThinking: false, eagerInput: true }).body;
}

describe('the effort that is sent', () => {
  it.each([
    'claude-3-7-sonnet-20250219',
    'claude-4-sonnet-20250514',
    'claude-4-5-haiku',
    'claude-sonnet-4-0',
    'claude-opus-4-1-20250805',
    'claude-opus-4@20250514',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'anthropic/claude-sonnet-4.5',
    'some-other-model',
  ])('is a budget for %s, and none where no effort is set', (model) => {
    expect(bodyOf({ model, effort: 'medium' })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 8192 },
    });
    for (const effort of ['medium', undefined] as const)
      expect(bodyOf({ model, ...(effort && { effort }) })).not.toHaveProperty('output_config');
    expect(bodyOf({ model })).not.toHaveProperty('thinking');
  });

  it.each([
    ['claude-opus-4-6', 'high'],
    ['anthropic/claude-opus-4.6', 'high'],
    ['claude-opus-4-7', 'xhigh'],
    ['claude-sonnet-5', 'xhigh'],
    ['claude-fable-5-1', 'xhigh'],
    ['claude-7-something', 'xhigh'],
    ['claude-next', 'xhigh'],
  ])('is a word for %s, which thinks in any case', (model, effort) => {
    const thinking = { type: 'adaptive', display: 'summarized' };
    expect(bodyOf({ model, effort: 'xhigh' })).toMatchObject({ thinking, output_config: { effort } });
    expect(bodyOf({ model })).toMatchObject({ thinking });
    expect(bodyOf({ model })).not.toHaveProperty('output_config');
  });
});

describe('what would be refused', () => {
  const model = 'claude-sonnet-4-5';
  const thinking: Block = { type: 'thinking', text: 'a', provider: 'anthropic', signature: 's' };
  const search: Block = {
    type: 'opaque',
    provider: 'anthropic',
    raw: { type: 'server_tool_use', id: 's1', name: 'web', input: {} },
  };

  it.each([
    ['one that began with thinking', [thinking, search], true],
    ['one that did not', [search], false],
  ])('is left out: a budget for a paused answer, unless it is %s', (_, blocks, thinks) => {
    const body = bodyOf({ model, effort: 'low', messages: [{ role: 'assistant', model, blocks }] });
    expect('thinking' in body).toBe(thinks);
    expect(body['messages']).toMatchObject([{}, { role: 'assistant', content: blocks.map(() => ({})) }]);
  });

  it('is left out: thinking with an empty signature', () => {
    const provider = 'anthropic';
    const blocks: Block[] = [
      { type: 'thinking', text: 'a', provider, signature: '' },
      { type: 'thinking', text: '', provider, signature: '', redacted: true },
      { type: 'text', text: 'Hi' },
    ];
    const answer: Message = { role: 'assistant', model: 'claude-opus-5-5', blocks };
    const { messages } = bodyOf({ messages: [answer] });
    expect(messages).toMatchObject([{ role: 'user' }, { content: [{ type: 'text', text: 'Hi' }] }]);
  });

  it('is left out: a blank text beside the images of a result', () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'QUJD' };
    const { messages } = bodyOf({
      messages: [
        { role: 'assistant', model: 'm', blocks: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
        {
          role: 'user',
          blocks: [{ type: 'tool_result', id: 't', name: 'read', content: ' \n', images: [image] }],
        },
      ],
    });
    expect(messages).toMatchObject([{}, {}, { content: [{ content: [{ type: 'image' }] }] }]);
  });
});
