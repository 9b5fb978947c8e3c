// Checks README.md and docs/*.md: runs their console blocks, and looks at links, names, words and lengths.
// --update writes what the commands print today into the pages. Needs a build.
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPages } from '../docs/check.mjs';
import { updatedLines } from '../docs/console.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const update = process.argv.includes('--update');
process.chdir(root);

const docs = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .sort();
const files = ['README.md', ...docs.map((name) => join('docs', name))];
const { problems, pages } = await checkPages(files, root);
if (update) {
  for (const { page, ran } of pages) {
    const lines = updatedLines(page, ran);
    if (lines.join('\n') === page.lines.join('\n')) continue;
    writeFileSync(page.file, `${lines.join('\n')}\n`);
    console.log(`${page.file} rewritten`);
  }
}
const left = update ? problems.filter(({ kind }) => kind !== 'output') : problems;
for (const { file, line, text } of left) console.error(`${file}:${line}: ${text}`);
const commands = pages.reduce((sum, { ran }) => sum + ran.length, 0);
console.log(`${files.length} pages, ${commands} commands run, ${left.length} problems`);
if (left.length > 0) process.exitCode = 1;
