import { describe, expect, it } from 'vitest';
import { understand, type Intent } from '../../../../adapters/providers/demo/intents.ts';

const cases: [string, Intent[]][] = [
  ['summarise this folder', [{ kind: 'summarise', path: null }]],
  ['Can you please summarize the project?', [{ kind: 'summarise', path: null }]],
  ['Give me a short overview of src', [{ kind: 'summarise', path: 'src' }]],
  ['What is this project about?', [{ kind: 'summarise', path: null }]],
  ['what does this repo do', [{ kind: 'summarise', path: null }]],
  ['explain @README.md', [{ kind: 'summarise', path: 'README.md' }]],
  ['explain @src/a.ts:10-40', [{ kind: 'summarise', path: 'src/a.ts', from: 10, to: 40 }]],
  ['explain @src/a.ts:40-10', [{ kind: 'summarise', path: 'src/a.ts', from: 10, to: 40 }]],
  ['Explain @src/a.ts:7 to me, please', [{ kind: 'summarise', path: 'src/a.ts', from: 7, to: 7 }]],
  ['describe @"my notes.txt":1-2', [{ kind: 'summarise', path: 'my notes.txt', from: 1, to: 2 }]],
  ['@src/a.ts:3', [{ kind: 'show', path: 'src/a.ts', from: 3, to: 3 }]],
  ['show @src/a.ts:3-4', [{ kind: 'show', path: 'src/a.ts', from: 3, to: 4 }]],
  ['find foo in @src', [{ kind: 'find', text: 'foo', path: 'src' }]],
  ['find TODO', [{ kind: 'find', text: 'TODO', path: null }]],
  ['search for "hello world"', [{ kind: 'find', text: 'hello world', path: null }]],
  ['Find all uses of `parseLine` in src', [{ kind: 'find', text: 'parseLine', path: 'src' }]],
  ['where is the function parseLine defined?', [{ kind: 'find', text: 'parseLine', path: null }]],
  ['Where is parser.ts?', [{ kind: 'find_file', name: 'parser.ts', path: null }]],
  ['find files named *.md', [{ kind: 'find_file', name: '*.md', path: null }]],
  ['which files contain "foo.bar"?', [{ kind: 'find', text: 'foo.bar', path: null }]],
  ['search src for needle', [{ kind: 'find', text: 'needle', path: 'src' }]],
  ['grep TODO in the project', [{ kind: 'find', text: 'TODO', path: null }]],
  ['show README.md', [{ kind: 'show', path: 'README.md' }]],
  ['read the file `my notes.txt`, please', [{ kind: 'show', path: 'my notes.txt' }]],
  ['show lines 10-20 of src/a.ts', [{ kind: 'show', path: 'src/a.ts', from: 10, to: 20 }]],
  ['show me the first 5 lines of a.txt', [{ kind: 'show', path: 'a.txt', from: 1, to: 5 }]],
  ['open src/a.ts:3-4', [{ kind: 'show', path: 'src/a.ts', from: 3, to: 4 }]],
  ["what's in package.json?", [{ kind: 'show', path: 'package.json' }]],
  ['list the files in src', [{ kind: 'show', path: 'src' }]],
  ['ls', [{ kind: 'show', path: '.' }]],
  ['replace foo by bar in a.txt', [{ kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt', all: false }]],
  [
    'Please change "old text" to "new text" in the file docs/a.md.',
    [{ kind: 'replace', from: 'old text', to: 'new text', path: 'docs/a.md', all: false }],
  ],
  [
    'in a.txt replace all foo with bar',
    [{ kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt', all: true }],
  ],
  ['rename foo to bar everywhere', [{ kind: 'replace', from: 'foo', to: 'bar', path: null, all: true }]],
  [
    "replace 'a and then b' by 'c' in x.txt",
    [{ kind: 'replace', from: 'a and then b', to: 'c', path: 'x.txt', all: false }],
  ],
  [
    'create hello.txt with the text "hi there"',
    [{ kind: 'create', path: 'hello.txt', content: 'hi there\n' }],
  ],
  ['create c.md with "x".', [{ kind: 'create', path: 'c.md', content: 'x\n' }]],
  ['create c.md with "a\nb \\"c\\""', [{ kind: 'create', path: 'c.md', content: 'a\nb "c"\n' }]],
  ['run `echo "a \\"b\\""`', [{ kind: 'run', command: 'echo "a \\"b\\""' }]],
  ['run echo "a \\"b\\""', [{ kind: 'run', command: 'echo "a \\"b\\""' }]],
  ['show "C:\\dir\\"', [{ kind: 'show', path: 'C:\\dir\\' }]],
  ['create an empty file notes.md', [{ kind: 'create', path: 'notes.md', content: '' }]],
  ['write `x = 1` to x.py', [{ kind: 'create', path: 'x.py', content: 'x = 1\n' }]],
  ['run `npm test`', [{ kind: 'run', command: 'npm test' }]],
  ['run ls -la src', [{ kind: 'run', command: 'ls -la src' }]],
  ['$ git status', [{ kind: 'run', command: 'git status' }]],
  ['`git log -3`', [{ kind: 'run', command: 'git log -3' }]],
  ['run echo "a; then b"', [{ kind: 'run', command: 'echo "a; then b"' }]],
  ['Run the tests.', [{ kind: 'run_script', script: 'test' }]],
  ['run the linter', [{ kind: 'run_script', script: 'lint' }]],
  [
    'replace foo by bar in a.txt and then run `cat a.txt`',
    [
      { kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt', all: false },
      { kind: 'run', command: 'cat a.txt' },
    ],
  ],
  [
    'Show README.md, then find TODO. Finally run the tests',
    [
      { kind: 'show', path: 'README.md' },
      { kind: 'find', text: 'TODO', path: null },
      { kind: 'run_script', script: 'test' },
    ],
  ],
  [
    'read a.txt and run cat b.txt',
    [
      { kind: 'show', path: 'a.txt' },
      { kind: 'run', command: 'cat b.txt' },
    ],
  ],
  ['hello', [{ kind: 'help' }]],
  ['What can you do?', [{ kind: 'help' }]],
];

describe('understand', () => {
  it.each(cases)('reads %s', (prompt, intents) => {
    expect(understand(prompt)).toEqual({ intents, unknown: [] });
  });

  it.each([
    'Write a poem about the sea',
    'why is the sky blue?',
    'explain why the sky is blue',
    'Refactor the parser to be faster',
    '',
  ])('does not pretend to understand %s', (prompt) => {
    expect(understand(prompt).intents).toEqual([]);
  });

  it('keeps what it understood beside what it did not', () => {
    expect(understand('show a.txt. Then sing a song')).toEqual({
      intents: [{ kind: 'show', path: 'a.txt' }],
      unknown: ['sing a song'],
    });
  });
});
