import { hasText, keeps, nodeRuns } from '../checks.mjs';

const files = {
  'README.md': '# people\n\n`fetchUser(id)` gives a user, `fetchUserAgent()` the name of this program.\n',
  'package.json': '{ "name": "people", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/users.mjs': [
    "const users = new Map([[1, { id: 1, name: 'Ada' }]]);",
    '',
    '/** The user of an id; see also fetchUserAgent. */',
    'export function fetchUser(id) {',
    '  const user = users.get(id);',
    '  if (!user) throw new Error(`fetchUser: there is no user ${id}`);',
    '  return user;',
    '}',
    '',
  ].join('\n'),
  'src/agent.mjs': "export const fetchUserAgent = () => 'people/1';\n",
  'src/profile.mjs': [
    "import { fetchUserAgent } from './agent.mjs';",
    "import { fetchUser } from './users.mjs';",
    '',
    'export const profile = (id) => `${fetchUser(id).name}, read by ${fetchUserAgent()}`;',
    '',
  ].join('\n'),
  'src/report.mjs': [
    '/** The names of these ids. */',
    'export function createReport({ fetchUser }) {',
    "  return (ids) => ids.map((id) => fetchUser(id).name).join(', ');",
    '}',
    '',
  ].join('\n'),
  'test/people.test.mjs': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { profile } from '../src/profile.mjs';",
    "import { createReport } from '../src/report.mjs';",
    "import { fetchUser } from '../src/users.mjs';",
    '',
    "test('people', () => {",
    "  assert.equal(profile(1), 'Ada, read by people/1');",
    "  assert.equal(createReport({ fetchUser })([1, 1]), 'Ada, Ada');",
    '  assert.throws(() => fetchUser(2), /there is no user 2/);',
    '});',
    '',
  ].join('\n'),
};

/** One name in every file, beside a longer one that begins like it. */
export const rename = {
  name: 'rename',
  about: 'rename across files',
  prompt:
    'Rename the function `fetchUser` to `loadUser` everywhere: in the code, its messages, the tests and the ' +
    'README. Change nothing else; `fetchUserAgent` keeps its name. `node --test` has to pass.',
  mode: 'accept-edits',
  allow: ['bash(node --test*)', 'bash(npm test*)'],
  files,
  check: async (outcome) => [
    ...Object.entries(files).flatMap(([name, text]) =>
      hasText(outcome, name, text.replaceAll(/\bfetchUser\b/g, 'loadUser')),
    ),
    ...keeps(outcome, Object.keys(files)),
    ...(await nodeRuns(outcome, ['--test'], 'The tests do not pass.')),
  ],
};
