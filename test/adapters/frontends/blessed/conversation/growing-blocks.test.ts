import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { TextStream } from '../../../../../adapters/frontends/blessed/conversation/drawing/text-stream.ts';
import {
  shownLines,
  wrappedLines,
} from '../../../../../adapters/frontends/blessed/conversation/drawing/text-rows.ts';
import { drawBlock } from '../../../../../adapters/frontends/blessed/conversation/drawing/draw-block.ts';
import { ConversationDrawing } from '../../../../../adapters/frontends/blessed/conversation/viewport.ts';
import { emptyConversation } from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import { blocksOf, done, look, now, said, stored, text, thought, told } from './conversation-fixtures.ts';

const size = { columns: 60, rows: 20 };
const long = Array.from({ length: 1_500 }, (_, at) => `Paragraph *${at}*, with \`code\`.\n\n`).join('');

/** A text in pieces of 100 characters. */
const pieces = (of: string): string[] => of.match(/[^]{1,100}/g) ?? [];

describe('a long text that streams', () => {
  it('has the rows of the whole when it is settled or stopped, and is not drawn again for that', () => {
    const draw = vi.fn(drawBlock);
    for (const end of [stored(text(long)), done('interrupted')]) {
      const drawing = new ConversationDrawing(draw);
      let conversation = emptyConversation;
      for (const piece of pieces(long)) {
        conversation = told([said(piece)], conversation);
        drawing.rows(conversation, size, look);
      }
      const settled = told([end], conversation);
      expect(blocksOf(settled)[0]).toEqual({ type: 'answer', id: 1, text: long, streaming: false });
      const rows = drawing.rows(settled, size, look);
      expect(draw.mock.calls.filter(([block]) => block.type === 'answer')).toEqual([]);
      expect(rows).toEqual(new ConversationDrawing().rows(settled, size, look));
    }
  });

  it('wraps each line of thinking once', () => {
    const draw = vi.fn(drawBlock);
    const drawing = new ConversationDrawing(draw);
    let conversation = { ...emptyConversation, expanded: true };
    for (const piece of pieces(long)) {
      conversation = told([thought(piece)], conversation);
      drawing.rows(conversation, size, look);
    }
    const over = told([said('So.')], conversation);
    expect(blocksOf(over)[0]).toEqual({ type: 'thinking', id: 1, text: long, startedAt: now, endedAt: now });
    const rows = drawing.rows(over, size, look);
    expect(draw).not.toHaveBeenCalled();
    expect(rows).toEqual(new ConversationDrawing().rows(over, size, look));
  });

  it('keeps of a call that is being written only the beginning', () => {
    const delta: AgentEvent = {
      type: 'tool_call_delta',
      tool_id: 'c',
      tool_name: 'write',
      input_delta: '"a long text", ',
    };
    const [call] = blocksOf(told(Array.from({ length: 2_000 }, () => delta)));
    expect(call?.type === 'call' && call.written.length).toBeLessThan(5_000);
  });
});

it('gives plain text that grows the rows of all its lines', () => {
  const part = fc.constantFrom(
    'word ',
    'a',
    '\n',
    '\n\n',
    '  ',
    '你好',
    'e\u0301',
    '\t',
    '\u001b[1m',
    '\r\n',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 2, max: 30 }),
      (parts, step, columns) => {
        const whole = parts.join('');
        const stream = new TextStream({});
        for (let end = step; end < whole.length; end += step)
          stream.rows({ text: whole.slice(0, end) }, columns);
        const rows = stream.rows({ text: whole }, columns);
        expect(rows.slice(0, rows.length)).toEqual(wrappedLines(shownLines(whole), columns, {}, [], []));
      },
    ),
    { numRuns: 100 },
  );
});
