import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attacks } from '../escape/attacks.ts';
import { root } from '../package/root.ts';

const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8');

const cases = new Set(
  ['permissions', 'terminal', 'urls'].flatMap((name) => {
    const text = readFileSync(join(root, 'test', 'fixtures', 'cases', `${name}.jsonl`), 'utf8').trim();
    return text.split('\n').map((line) => (JSON.parse(line) as { id: string }).id);
  }),
);
const tried = new Set(attacks.map(({ id }) => id));

/** Rows of the tables of threats and of incidents: the first cell, what is said, and the tests in the last. */
function rows(): { row: string; said: string; tests: string }[] {
  const tables = page.slice(page.indexOf('## Threats and defences'));
  return tables.split('\n').flatMap((line) => {
    const [, row = '', ...parts] = line.split(/(?<!\\)\|/).map((part) => part.trim());
    const [said = '', tests = ''] = parts.slice(-3);
    return line.startsWith('|') && !/^(-+|shown by)$/.test(tests) ? [{ row, said, tests }] : [];
  });
}

/** What a cell names that there is not: cases, attacks, files, titles of tests. */
function missing(tests: string): string[] {
  let text = '';
  return [...tests.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, span, title]) => {
    if (title !== undefined) return text.includes(title) ? [] : [`“${title}”`];
    if (span === undefined || cases.has(span) || tried.has(span)) return [];
    const file = join(root, 'test', span);
    text = span.endsWith('.test.ts') && existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text === '' ? [span] : [];
  });
}

it('the page on security names only tests that there are', () => {
  const found = rows();
  expect(found.length).toBeGreaterThan(100);
  expect(found.flatMap(({ row, tests }) => missing(tests).map((one) => `${row}: ${one}`))).toEqual([]);
});

it('and says so where there is none', () => {
  expect(rows().filter(({ said, tests }) => !tests.includes('`') && !/no test/i.test(said))).toEqual([]);
});
