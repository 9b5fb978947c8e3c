import { behaves, keeps } from '../checks.mjs';

const limit = '\tfor (let attempt = 1; attempt <= 3; attempt += 1) {';
const lines = [
  '/** Sends a file, again if that fails; the last failure is thrown. */',
  'export async function upload(file, { send, wait, log }) {',
  '\tlet failure;',
  limit,
  '\t\ttry {',
  '\t\t\treturn await send(file);',
  '\t\t} catch (error) {',
  '\t\t\tfailure = error;',
  '\t\t\tawait wait(attempt * 100);',
  '\t\t}',
  '\t}',
  '\tthrow failure;',
  '}',
  '',
];

function tabbed({ after }) {
  const now = (after.get('src/upload.mjs')?.toString('utf8') ?? '').split('\n');
  const blank = now.findIndex((line) => /^\t* +[^*\s]/.test(line));
  // In the same order: each is looked for behind the one before.
  let from = 0;
  const lost = lines
    .filter((line) => line !== limit)
    .find((line) => (from = now.indexOf(line, from) + 1) === 0);
  return [
    ...(blank === -1 ? [] : [`Line ${blank + 1} of src/upload.mjs is not indented with tabs.`]),
    ...(lost === undefined ? [] : [`This line of src/upload.mjs is lost: ${JSON.stringify(lost)}.`]),
  ];
}

/** New lines are indented like their neighbours, and the neighbours stay. */
export const tabs = {
  name: 'tabs',
  about: 'an edit in a file with tabs',
  prompt:
    'In src/upload.mjs, `upload` gives up after 3 attempts; make it 5. And each time an attempt failed, call ' +
    "`log('retry', attempt)` right before the wait.",
  mode: 'accept-edits',
  files: {
    'package.json': '{ "name": "upload", "type": "module" }\n',
    'src/upload.mjs': lines.join('\n'),
  },
  check: async (outcome) => [
    ...keeps(outcome, ['src/upload.mjs']),
    ...tabbed(outcome),
    ...(await behaves(
      outcome,
      'src/upload.mjs',
      `const seen = [];
      const send = async () => { throw new Error('down'); };
      const wait = async (time) => seen.push(time);
      const log = (...words) => seen.push(words.join(' '));
      await assert.rejects(it.upload('a', { send, wait, log }), /down/);
      assert.deepEqual(seen, [1, 2, 3, 4, 5].flatMap((n) => ['retry ' + n, n * 100]));`,
      'It does not try 5 times and log each failure before the wait.',
    )),
  ],
};
