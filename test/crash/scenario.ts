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
  'made-later.txt': [null, 'made by a tool\n'],
  'staged.txt': ['staged\n'],
  'ignored.log': ['log\n'],
};

/** The same for what commands change. A shell empties a file before it writes to it. */
export const versionsByCommands: Readonly<Record<string, readonly (string | null)[]>> = {
  'tracked.txt': ['committed\n', '', 'by a command\n'],
  'dirty.txt': ['committed\nmine\n', 'committed\nmine\nagain\n'],
  'notes.txt': ['untracked\n', '', 'changed\n'],
  'gone.txt': ['to go\n', null],
  'made/deep/new.txt': [null, '', 'made\n'],
};

/** Makes the files before the run a repository with a commit, a stash, and changes that are in neither. */
export const repositoryScript = `
  git init -q -b main .
  echo '*.log' > .gitignore
  echo committed > dirty.txt; echo committed > staged.txt
  git add .gitignore b.txt big.txt tracked.txt gone.txt dirty.txt staged.txt
  git commit -qm one
  echo stashed >> dirty.txt; git stash -q
  echo mine >> dirty.txt
  echo staged > staged.txt; git add staged.txt
`;

const words = 'This is said in many small pieces, so that there is time to be killed within. '.repeat(2);

/** What a request for a summary is answered. */
export const summary: Reply = { text: `<summary>${words}</summary>`, pace: 1 };

const changes = `
  printf 'by a command\\n' > tracked.txt; rm gone.txt; printf 'changed\\n' > notes.txt
  mkdir -p made/deep; printf 'made\\n' > made/deep/new.txt; sleep 0.02
  printf 'again\\n' >> dirty.txt
`;

/** One turn that talks, edits, is compacted, runs commands whose children stay, and ends. */
export const replies: readonly Reply[] = [
  {
    text: words,
    pace: 1,
    calls: [
      { name: 'write', input: { path: 'src/a.txt', content: 'first\n' } },
      { name: 'read', input: { path: 'b.txt' } },
      { name: 'read', input: { path: 'big.txt', limit: 1 } },
    ],
  },
  call('edit', { path: 'b.txt', old_string: 'two', new_string: 'three' }),
  call('bash', { command: 'sleep 300 & (sleep 301; true) & echo running' }),
  // As many tokens as no window has: what comes next is a compaction.
  { ...call('bash', { command: changes }), inputTokens: 5_000_000 },
  summary,
  call('write', { path: 'big.txt', content: big('y') }, words),
  {
    calls: [
      { name: 'write', input: { path: 'made-later.txt', content: 'made by a tool\n' } },
      { name: 'edit', input: { path: 'src/a.txt', old_string: 'first', new_string: 'second' } },
      { name: 'bash', input: { command: 'trap "" TERM; sleep 0.03; echo slow' } },
    ],
  },
  { text: `${words}Done.`, pace: 1 },
];

/** Answers of the turn: all but the summary. */
export const answers = replies.length - 1;
