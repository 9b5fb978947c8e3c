import { describe, expect, it } from 'vitest';
import { readContent } from '../../../adapters/sessions/session-content.ts';
import { formatLine } from '../../../adapters/sessions/session-lines.ts';
import { restore } from '../../../domain/conversation/restore.ts';
import type { SessionEntry } from '../../../ports/session.ts';

const said = (role: 'user' | 'assistant', text: string): SessionEntry => ({
  type: 'message',
  message: { role, blocks: [{ type: 'text', text }] },
});
const context = (reason: 'startup' | 'compact', system: string): SessionEntry => ({
  type: 'context',
  reason,
  system,
  tools: [],
});
const before = [
  said('user', 'wish'),
  said('assistant', 'done'),
  said('user', 'second wish'),
  said('assistant', 'done again'),
];
const after = [said('assistant', 'going on'), said('user', 'third wish')];
const summary = said('user', 'the summary');
const session: SessionEntry[] = [
  {
    type: 'meta',
    version: 1,
    larik: '1.0.0',
    session: 's',
    cwd: '/p',
    project: '/p',
    model: 'demo/demo',
    mode: 'default',
  },
  context('startup', 'first'),
  ...before,
  context('compact', 'second'),
  { type: 'compaction', summary: 'the summary', before_tokens: 90, after_tokens: 10 },
  summary,
  ...after,
];
const lines = session.map((entry, i) =>
  formatLine({ id: `e${i}`, parent_id: i === 0 ? null : `e${i - 1}`, time: '2026-01-01T00:00:00Z' }, entry),
);
const at = session.indexOf(summary);

/** What a file with these lines leads to. */
function state(kept: readonly string[]) {
  const { entries, problems } = readContent(Buffer.from(kept.join('')));
  const { messages, context: begun } = restore(entries);
  const texts = messages.map(({ blocks }) =>
    blocks.map((block) => (block.type === 'text' ? block.text : '')),
  );
  return { texts: texts.flat(), system: begun?.system, problems };
}

describe('a session with a compaction', () => {
  const old = { texts: ['wish', 'done', 'second wish', 'done again'], system: 'first' };

  it('has its older part until the compaction is whole, wherever the file ends', () => {
    const all = [...lines.keys()].slice(0, at + 1).map((end) => state(lines.slice(0, end)));
    const whole = all.slice(-3);
    expect(whole).toEqual([old, old, old].map((one) => ({ ...one, problems: [] })));
    expect(state(lines.slice(0, at + 1))).toEqual({ texts: ['the summary'], system: 'second', problems: [] });
  });

  it('SESS-02 loses nothing of it where the message of the summary is broken', () => {
    const broken = `${lines[at]?.slice(0, 100)}\n`;
    const { problems, ...left } = state([...lines.slice(0, at), broken, ...lines.slice(at + 1)]);
    expect(left).toEqual(old);
    expect(problems).toEqual([
      'line 9 is not a whole record: it and the 2 records behind it could not be used and are left in the file; the session is opened up to line 8',
    ]);
  });

  it('SESS-02 loses only the one record where another message is broken', () => {
    const broken = `${lines[at + 1]?.slice(0, 100)}\n`;
    expect(state([...lines.slice(0, at + 1), broken, ...lines.slice(at + 2)])).toEqual({
      texts: ['the summary', 'third wish'],
      system: 'second',
      problems: ['line 10 is not a whole record: it could not be used and is left in the file'],
    });
  });
});
