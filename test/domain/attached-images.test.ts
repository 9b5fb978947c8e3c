import { describe, expect, it } from 'vitest';
import { agentHarness, only } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
/** One pixel. */
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = { type: 'image', mediaType: 'image/png', data } as const;

async function asked(
  text: string,
  images: readonly { type: 'image'; mediaType: string; data: string }[],
  seesImages = true,
) {
  const { agent, provider } = agentHarness([{ text: 'a', usage }], { info: { images: seesImages } });
  const events = [];
  for await (const event of agent.prompt(text, new AbortController().signal, 'piped', images)) {
    events.push(event);
  }
  return { events, blocks: provider.requests[0]?.messages[0]?.blocks };
}

describe('pictures of a prompt', () => {
  it('stand behind its text', async () => {
    const { blocks } = await asked('what is this?', [{ ...picture, mediaType: 'image/jpeg' }]);
    // What it is goes by its bytes.
    expect(blocks).toEqual([
      { type: 'text', text: 'what is this?' },
      picture,
      { type: 'text', text: 'piped' },
    ]);
  });

  it('speak for themselves', async () => {
    const { blocks } = await asked('', [picture]);
    expect(blocks?.[0]).toEqual(picture);
  });

  it('are told when they are none, and the prompt goes on', async () => {
    const { blocks, events } = await asked('look', [picture, { ...picture, data: 'AAAA' }]);
    expect(blocks?.filter(({ type }) => type === 'image')).toEqual([picture]);
    expect(only(events, 'notice').map(({ text }) => text)).toEqual([
      'Picture 2 of the prompt was not attached: it is no PNG, JPEG, GIF or WebP picture, or a broken one.',
    ]);
  });

  it('are a word to a model that sees none', async () => {
    const { blocks, events } = await asked('look', [picture], false);
    expect(blocks?.[1]).toMatchObject({ type: 'text', text: expect.stringContaining('cannot see') });
    expect(only(events, 'notice').map(({ code }) => code)).toEqual(['images_unseen']);
  });
});
