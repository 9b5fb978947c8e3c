import { expect, it } from 'vitest';
import { ConversationDrawing } from '../../../../adapters/frontends/blessed/conversation/viewport.ts';
import { unicodeGlyphs } from '../../../../adapters/frontends/blessed/look/glyphs.ts';
import { initialView } from '../../../../adapters/frontends/blessed/view/initial-view.ts';
import { reduce, type Around } from '../../../../adapters/frontends/blessed/view/reduce.ts';
import { request } from './questions/question-harness.ts';

const around: Around = { look: { glyphs: unicodeGlyphs, now: 1000 }, drawing: new ConversationDrawing() };
const settings = { theme: 'auto' as const, themes: [], keys: {}, mouse: false, notifications: false };

it('asks for no frame after one that changed nothing, also where a question’s end is not seen yet', () => {
  const command = Array.from({ length: 99 }, (_, at) => `echo ${at}`).join('\n');
  const asked = reduce(
    initialView({ columns: 80, rows: 24 }, settings, []),
    { type: 'event', event: request({ input: { command } }) },
    around,
  );
  const first = reduce(asked.view, { type: 'drawn' }, around);
  expect(first.view.questions[0]).toMatchObject({ shownAt: 1000, endSeen: false });
  expect(reduce(first.view, { type: 'drawn' }, around).view).toBe(first.view);
});
