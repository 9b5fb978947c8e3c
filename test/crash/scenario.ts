import type { Reply } from '../e2e/model-server.ts';

const call = (name: string, input: unknown, text?: string): Reply => ({
  ...(text === undefined ? {} : { text, pace: 1 }),
  calls: [{ name, input }],
});

const big = (letter: string): string => `${letter.repeat(63)}\n`.repeat(4000);

/** What each file may hold, in order; null: it is not there. The first is how it is before the run. */
export const versions: Readonly<Record<string, readonly (string | null)[]>> = {
  'b.txt': ['one\ntwo\n', 'one\nthree\n'],
  'src/a.txt': [null, 'first\n', 'second\n'],
  'big.txt': [big('x'), big('y')],
  'removed-later.txt': [null, 'made by a tool\n'],
};

const words = 'This is said in many small pieces, so that there is time to be killed within. '.repeat(2);

/** What a request for a summary is answered. */
export const summary: Reply = { text: `<summary>${words}</summary>`, pace: 1 };

/** One turn that talks, edits, is compacted, runs commands whose children stay, and ends. */
export const replies: readonly Reply[] = [
  call('write', { path: 'src/a.txt', content: 'first\n' }, words),
  call('read', { path: 'b.txt' }),
  call('edit', { path: 'b.txt', old_string: 'two', new_string: 'three' }),
  call('bash', { command: 'sleep 300 & (sleep 301; true) & echo running' }),
  // As many tokens as no window has: what comes next is a compaction.
  { ...call('read', { path: 'big.txt', limit: 1 }), inputTokens: 5_000_000 },
  summary,
  call('write', { path: 'big.txt', content: big('y') }),
  call('bash', { command: 'trap "" TERM; sleep 0.05; echo slow' }, words),
  {
    calls: [
      { name: 'write', input: { path: 'removed-later.txt', content: 'made by a tool\n' } },
      { name: 'edit', input: { path: 'src/a.txt', old_string: 'first', new_string: 'second' } },
      { name: 'bash', input: { command: 'sleep 0.03' } },
    ],
  },
  { text: `${words}Done.`, pace: 1 },
];
