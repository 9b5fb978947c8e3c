import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { root } from '../package/root.ts';
// @ts-expect-error: plain JavaScript, shared with `npm run docs:check`
import * as check from './check.mjs';
// @ts-expect-error: plain JavaScript, shared with `npm run docs:check`
import * as names from './names.mjs';

interface Problem {
  file: string;
  line: number;
  text: string;
}

let known: unknown;

/** What is wrong with these pages. */
async function checked(files: string[]): Promise<Problem[]> {
  known ??= names.knownNames(root);
  return ((await check.checkPages(files, root, known)) as { problems: Problem[] }).problems;
}

const runnable = process.platform !== 'win32' && isInstalled('bash') && isInstalled('git');

/** Checks pages, given by name and text, in a folder of their own. */
async function problemsOf(texts: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'larik-pages-'));
  try {
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    const problems = await checked(Object.keys(texts).map((name) => join(folder, name)));
    return problems.map(({ file, line, text }) =>
      `${relative(folder, file)}:${line}: ${text}`.replaceAll(folder, ''),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!runnable)('the pages for users', () => {
  it('show what their commands print, and name only what exists', async () => {
    const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const problems = await checked([
      join(root, 'README.md'),
      ...docs.map((name) => join(root, 'docs', name)),
    ]);
    expect(problems.map(({ file, line, text }) => `${relative(root, file)}:${line}: ${text}`)).toEqual([]);
  }, 180_000);
});

describe.skipIf(!runnable)('the check of a page', () => {
  it('shows what a command printed in place of what the page shows', async () => {
    const page = '# A\n\n```console\n$ echo one; echo two >&2\none\nthree\n```\n';
    expect(await problemsOf({ 'a.md': page })).toEqual([
      'a.md:4: $ echo one; echo two >&2\n    shown:\n      one\n      three\n    got:\n      one\n      two',
    ]);
  });

  it('takes ids, times, the home and what an ellipsis stands for as the same', async () => {
    const page = [
      '<!-- docs-check',
      'echo hidden > made.txt',
      '-->',
      '```console',
      '$ cat made.txt && pwd',
      'hidden',
      '/home/you/shop',
      '$ larik -q -p "hello" --no-session >/dev/null; echo 20261130-124509-fa8838',
      '20250101-000000-000000',
      '$ printf "a\\nb\\nc\\n"',
      '...',
      'c',
      '$ echo some words \\',
      '> more',
      'some ... more',
      '```',
    ].join('\n');
    expect(await problemsOf({ 'a.md': page })).toEqual([]);
  });

  it('finds flags, commands, settings, variables and scripts that do not exist', async () => {
    const page = [
      'Use `larik --colour`, `larik fly`, `larik sessions burn`, `larik undo --mode plan`, `--sideways`, `npm run fly`.',
      'Set `limits.max_stepz`, `LARIK_COLOUR` or `limits.max_steps`; `node --test` and `other.key` are others.',
      '',
      '```jsonc',
      '{ "limits": { "max": 1 }, "roles": { "any": "a/b" } } // a comment',
      '```',
      '```sh',
      'git diff | larik -p --lowd "x --y" # larik --none',
      '```',
    ].join('\n');
    expect(await problemsOf({ 'a.md': page })).toEqual([
      'a.md:8: larik knows no --lowd',
      'a.md:1: larik knows no --colour',
      'a.md:1: there is no command "larik fly"',
      'a.md:1: there is no command "larik sessions burn"',
      'a.md:1: larik undo knows no --mode',
      'a.md:1: there is no script "npm run fly"',
      'a.md:2: there is no variable LARIK_COLOUR',
      'a.md:1: there is no flag --sideways',
      'a.md:2: there is no setting "limits.max_stepz"',
      'a.md:5: there is no setting "limits.max"',
    ]);
  });

  it('finds dead links, praise, repeated paragraphs and pages that are too long', async () => {
    const same =
      'The sandbox keeps every command of the model within the folder of the project and its private temporary folder.';
    const long = Array.from({ length: 201 }, () => '').join('\n');
    const problems = await problemsOf({
      'a.md': `# One thing\n\n[x](b.md#two-things) [y](#one-thing) [z](none.md) [w](b.md#three)\n\nA powerful tool, \`simply\`.\n\n${same}\n`,
      'b.md': `# Two things\n\n${same.replace('every', 'each')}\n${long}`,
    });
    expect(problems).toEqual([
      'a.md:5: "powerful": say what is, without praise or promise',
      'a.md:3: link to none.md: no such file',
      'a.md:3: link to b.md#three: no such heading',
      'b.md:201: 203 lines; at most 200',
      'b.md:3: repeats /a.md:7; link there instead',
    ]);
  });
});
