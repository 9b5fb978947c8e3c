import { describe, expect, it } from 'vitest';
import { sharpImages } from '../../../adapters/images/sharp-images.ts';
import { read } from '../../../adapters/tools/files/read.ts';
import { imageFacts } from '../../../domain/text/image.ts';
import type { Block, ImageBlock, Message } from '../../../ports/message.ts';
import { fakeImages } from '../../../plugins/testing/index.ts';
import { drawing, headerOnly, photo } from '../../adapters/images/pictures.ts';
import { agentHarness, only } from '../agent-harness.ts';

const place = '/home/u/p';

function imagesOf(messages: readonly Message[]): ImageBlock[] {
  const inBlock = (block: Block) =>
    block.type === 'image' ? [block] : block.type === 'tool_result' ? (block.images ?? []) : [];
  return messages.flatMap(({ blocks }) => blocks.flatMap(inBlock));
}

const sizeOf = ({ data }: ImageBlock) => imageFacts(new Uint8Array(Buffer.from(data, 'base64')));
const calling = (path: string) => ({ calls: [{ name: 'read', input: { path } }] });

describe('pictures in a turn', () => {
  it('MSG-19 are scaled before they are stored, mentioned ones and those that read shows', async () => {
    const files = {
      [`${place}/wide.png`]: await drawing(9000, 100),
      [`${place}/heavy.png`]: await photo(1400, 1200, 'png'),
    };
    const script = [calling('wide.png'), { text: 'seen' }];
    const harness = agentHarness(script, { files, images: sharpImages(), tools: [read] });
    await harness.prompt('compare @wide.png with @heavy.png');
    const stored = harness.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    expect(imagesOf(stored).map(sizeOf)).toEqual([
      { mediaType: 'image/png', width: 2000, height: 22 },
      { mediaType: 'image/jpeg', width: 1400, height: 1200 },
      { mediaType: 'image/png', width: 2000, height: 22 },
    ]);
    expect(imagesOf(stored).every(({ data }) => data.length <= 5_242_880)).toBe(true);
    const said = '[The picture was scaled down to be sent: from 9000 by 100 to 2000 by 22 pixels.]';
    expect(stored[0]?.blocks[2]).toEqual({ type: 'text', text: said });
    expect(stored[2]?.blocks[0]).toMatchObject({ content: expect.stringMatching(/^wide\.png: image\/png/) });
    expect(stored[2]?.blocks[0]).toMatchObject({ content: expect.stringContaining(said) });
    expect(imagesOf(harness.provider.requests[1]?.messages ?? [])).toEqual(imagesOf(stored));
  });

  it('MSG-19 are refused before they are stored where they cannot be scaled', async () => {
    const files = { [`${place}/wide.png`]: headerOnly(9000, 100) };
    const harness = agentHarness([calling('wide.png'), { text: 'sorry' }], { files, tools: [read] });
    const events = await harness.prompt('look at @wide.png');
    expect(JSON.stringify(harness.entries)).not.toContain('image/png","data');
    expect(only(events, 'notice')[0]?.text).toBe(
      '@wide.png was not attached: the picture is 9000 by 100 pixels, and at most 2000 a side can be sent; nothing scales pictures here, so scale it down with another program first.',
    );
    expect(only(events, 'tool_end')[0]).toMatchObject({
      is_error: true,
      output: expect.stringContaining('[A picture is not shown here: the picture is 9000 by 100 pixels'),
    });
  });

  it('are not waited for after an interruption, which is no error', async () => {
    const abort = new AbortController();
    const shrink = (_bytes: Uint8Array, _bounds: unknown, signal: AbortSignal) => {
      abort.abort('interrupted');
      return Promise.reject(signal.reason as Error);
    };
    const files = { [`${place}/wide.png`]: headerOnly(9000, 100) };
    const harness = agentHarness([{ text: 'fine' }], { images: { shrink }, files });
    const events = await harness.prompt('look at @wide.png', abort.signal);
    expect(events.map(({ type }) => type)).toEqual(['turn_start', 'done']);
    expect(events.at(-1)).toMatchObject({ stop_reason: 'interrupted' });
    expect((await harness.prompt('go on')).at(-1)).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('are attached by what they are, up to 32 MiB', async () => {
    const harness = agentHarness([{ text: 'seen' }], {
      images: fakeImages(headerOnly(5, 5)),
      files: {
        [`${place}/log.txt`]: headerOnly(1, 1),
        [`${place}/large.png`]: headerOnly(1, 1, 12_000_000),
        [`${place}/huge.png`]: headerOnly(1, 1, 33_554_433),
        [`${place}/zeros.png`]: new Uint8Array(12_000_000),
      },
    });
    const events = await harness.prompt('see @log.txt @large.png @huge.png @zeros.png');
    expect(imagesOf(harness.provider.requests[0]?.messages ?? []).map(sizeOf)).toEqual([
      { mediaType: 'image/png', width: 1, height: 1 },
      { mediaType: 'image/png', width: 5, height: 5 },
    ]);
    expect(only(events, 'notice').map(({ text }) => text.slice(0, 50))).toEqual([
      '@huge.png was not attached: the picture has 335544',
      '@zeros.png was not attached: it has 12000000 bytes',
    ]);
  });

  it('are not sent to a model that sees none, of which the user hears once', async () => {
    const harness = agentHarness([calling('pic.png'), { text: 'no' }, { text: 'no' }], {
      files: { [`${place}/pic.png`]: headerOnly(1, 1) },
      info: { images: false },
      tools: [read],
    });
    const events = [...(await harness.prompt('what is in @pic.png?')), ...(await harness.prompt('and now?'))];
    expect(harness.provider.requests.flatMap(({ messages }) => imagesOf(messages))).toEqual([]);
    expect(JSON.stringify(harness.provider.requests[1])).toContain('which this model cannot see');
    expect(only(events, 'notice').filter(({ code }) => code === 'images_unseen')).toEqual([
      {
        type: 'notice',
        level: 'warning',
        code: 'images_unseen',
        text: `As far as is known scripted/model sees no images, so it gets a note in place of each. If it does see them, say so: larik config set 'models."scripted/model".images' true`,
      },
    ]);
    expect(JSON.stringify(harness.entries)).toContain('"image/png","data"');
  });
});
