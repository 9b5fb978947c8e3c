import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { table } from '../../../apps/tui/commands/table.ts';

it('documents every command, and none that there is not', async () => {
  const page = await readFile('docs/terminal-ui.md', 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `/'));
  const named = rows.flatMap((row) => {
    const cell = row.split(' | ', 1)[0] ?? '';
    return [...cell.matchAll(/`\/([a-z-]+)/g)].map(([, name]) => name);
  });
  expect(named.toSorted()).toEqual(table.map(({ name }) => name).toSorted());
});
