import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withSentImages } from '../../../domain/images/sent-images.ts';
import { pictureUnseen } from '../../../domain/prompt/pictures.ts';
import type { Block, ImageBlock, Message } from '../../../ports/message.ts';
import { headerOnly } from '../../adapters/images/pictures.ts';

const image = (bytes: Uint8Array): ImageBlock => ({
  type: 'image',
  mediaType: 'image/png',
  data: Buffer.from(bytes).toString('base64'),
});
const fits = image(headerOnly(10, 10));
const wide = image(headerOnly(9000, 100));
const heavy = image(headerOnly(10, 10, 3_932_161));
const odd: ImageBlock = { type: 'image', mediaType: 'image/png', data: 'no base64 ?' };
const result = (content: string, ...images: ImageBlock[]): Block => ({
  type: 'tool_result',
  id: 'c1',
  name: 'read',
  content,
  images,
});
const user = (...blocks: Block[]): Message => ({ role: 'user', blocks });
const sent = (message: Message, sees = true) => withSentImages([message], sees)[0]?.blocks;
const tooWide =
  '[A picture is not shown here: the picture is 9000 by 100 pixels, and at most 2000 a side can be sent.]';
const tooHeavy =
  '[A picture is not shown here: the picture has 3932161 bytes, and at most 3932160 can be sent.]';

describe('withSentImages', () => {
  it('MSG-19 sends no stored picture that is too large, and says why, whoever stored it', () => {
    const text: Block = { type: 'text', text: 'look' };
    expect(sent(user(text, wide, fits, heavy, odd))).toEqual([
      text,
      { type: 'text', text: tooWide },
      fits,
      { type: 'text', text: tooHeavy },
      odd,
    ]);
    expect(sent(user(result('two', wide, fits)))).toEqual([result(`two\n${tooWide}`, fits)]);
    expect(sent(user(result('', heavy)))).toEqual([
      { type: 'tool_result', id: 'c1', name: 'read', content: tooHeavy },
    ]);
  });

  it('MSG-19 sends any number of pictures, since none has a side that is not taken beside others', () => {
    const pictures = Array.from({ length: 30 }, (_, at) => image(headerOnly(1990 + at, 10)));
    const sides = sent(user(...pictures))?.map(({ type }) => type);
    expect(sides).toEqual(pictures.map((_, at) => (at <= 10 ? 'image' : 'text')));
  });

  it('puts a note where a model sees no pictures', () => {
    expect(sent(user(fits, result('one', fits)), false)).toEqual([
      { type: 'text', text: pictureUnseen },
      { type: 'tool_result', id: 'c1', name: 'read', content: `one\n${pictureUnseen}` },
    ]);
  });

  it('keeps the very messages that hold nothing of the kind, and changes none', () => {
    const plain = user({ type: 'text', text: 'hello' });
    const before = structuredClone([plain, user(wide)]);
    const messages = [plain, user(wide)];
    expect(withSentImages(messages, true)[0]).toBe(plain);
    expect(messages).toEqual(before);
  });

  it('keeps every block at its place, and sends what came before as before', () => {
    const blocks = fc.array(
      fc.constantFrom<Block>(
        { type: 'text', text: 'a' },
        fits,
        wide,
        odd,
        result('', fits, wide),
        result('x'),
      ),
      { maxLength: 5 },
    );
    const messages = fc.array(
      blocks.map((list) => user(...list)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(messages, messages, fc.boolean(), (head, tail, sees) => {
        const all = withSentImages([...head, ...tail], sees);
        expect(all.slice(0, head.length)).toEqual(withSentImages(head, sees));
        expect(all.map((each) => each.blocks.length)).toEqual(
          [...head, ...tail].map((each) => each.blocks.length),
        );
      }),
      { numRuns: 50 },
    );
  });
});
