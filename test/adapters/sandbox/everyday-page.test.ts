import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, it } from 'vitest';
import { everyday } from './everyday.ts';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'sandbox.md');
const begin = '<!-- everyday -->';
const end = '<!-- /everyday -->';

/** The rows as a table of the page. */
function table(): string {
  const lines = everyday.map(({ command, shown = command, ends, note = '' }) => {
    const how = 'works' in ends ? 'works' : `\`${ends.names}\``;
    return `| \`${shown.replaceAll('|', '\\|')}\` | ${how} | ${note} |`;
  });
  return ['| command | in the sandbox | |', '| --- | --- | --- |', ...lines].join('\n');
}

it('the page on the sandbox shows how everyday commands end', async () => {
  const text = readFileSync(page, 'utf8');
  const [before = '', after = ''] = [text.split(begin)[0], text.split(end)[1]];
  const fresh = await format(`${before}${begin}\n\n${table()}\n\n${end}${after}`, {
    parser: 'markdown',
    printWidth: 110,
  });
  if (process.env['UPDATE'] === '1') writeFileSync(page, fresh);
  expect(readFileSync(page, 'utf8')).toBe(fresh);
});
