import { describe, expect, it } from 'vitest';
import type { CommandScript } from '../../../../plugins/testing/index.ts';
import { Workbench } from '../../../prompts/workbench.ts';
import { drive } from './drive.ts';

const honest = "\n\n(I am larik's built-in demo: fixed rules that use the real tools, not a language model.)";

const project = {
  'README.md':
    '# Weather station\n\n[![build](x)](y)\n\nReads sensors every minute\nand shows them on a page.\n\n## Use\n\nRun it.\n',
  'package.json': JSON.stringify({
    name: 'weather',
    version: '1.2.0',
    description: 'A weather station.',
    scripts: { test: 'vitest run', build: 'tsc' },
    dependencies: { ws: '1' },
  }),
  'src/index.ts': 'export function start() {\n  return read(); // TODO: stop\n}\n',
  'src/read.ts': 'export const read = () => 1;\n// todo: more sensors\n',
  'docs/notes.txt': 'old value, old habits\n',
};

async function run(prompt: string, bench = new Workbench(project)) {
  const done = await drive(prompt, (name, input) => bench.call(name, input));
  return { bench, calls: done.calls.map(({ name }) => name), text: done.text.replace(honest, '') };
}

const withCommands = (script: CommandScript): Workbench => new Workbench(project, script);

describe('the demo with the real tools', () => {
  it('summarises a folder from what is in it', async () => {
    expect(await run('Summarise this folder')).toMatchObject({
      calls: ['read', 'glob', 'read', 'read'],
      text: [
        'There are 5 files: 2 TypeScript, 1 JSON, 1 Markdown, 1 text. Folders: `docs/`, `src/`.',
        '`README.md` (“Weather station”) says: Reads sensors every minute and shows them on a page.',
        'It is the package `weather` 1.2.0: A weather station. Scripts: `test`, `build`. It depends on `ws`.',
      ].join('\n\n'),
    });
  });

  it('summarises a file, a folder without a README, and an empty one', async () => {
    expect((await run('summarise src/index.ts')).text).toBe(
      '`src/index.ts` has 3 lines.\n\nIt defines `start`.',
    );
    expect((await run('summarise README.md')).text).toBe(
      '`README.md` has 10 lines.\n\nIts headings:\n- Weather station\n- Use\n\n`README.md` (“Weather station”) says: Reads sensors every minute and shows them on a page.',
    );
    expect((await run('summarise src')).text).toBe('There are 2 files: 2 TypeScript.');
    expect((await run('summarise this folder', new Workbench())).text).toContain('empty folder');
  });

  it('finds text, and files', async () => {
    expect((await run('find "todo"')).text).toBe(
      '`todo` stands here on 2 lines in 2 files:\n- src/index.ts:2: return read(); // TODO: stop\n- src/read.ts:2: // todo: more sensors',
    );
    expect((await run('where is read() used?')).text).toBe(
      '`read()` stands here on 1 line in 1 file:\n- src/index.ts:2: return read(); // TODO: stop',
    );
    expect((await run('search for needle in src')).text).toMatch(
      /^`needle` is not to be found in `src`\. The search said: No match/,
    );
    expect((await run('where is notes.txt?')).text).toBe('It is here:\n- docs/notes.txt');
    expect((await run('find files named *.rs')).text).toMatch(/^There is no `\*\.rs` here/);
  });

  it('counts no more than a search that was cut can know', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 210 }, (_, at) => [`f/${at}.txt`, 'needle\nneedle\n'] as const),
    );
    const found = (await run('find needle', new Workbench(files))).text;
    expect(found.split('\n')[0]).toBe('`needle` stands here on at least 200 lines in at least 100 files:');
    expect(found).toMatch(/\n… and at least 180 more lines\.$/);
    const named = (await run('find files named *.txt', new Workbench(files))).text;
    expect(named.split('\n')[0]).toBe('210 files are called so; the newest of them:');
    expect(named).toMatch(/\n… and 190 more\.$/);
    const many = (await run('replace needle by pin everywhere', new Workbench(files))).text;
    expect(many).toMatch(/^At least 200 files hold `needle`, so I changed none of them\./);
  });

  it('does not take the part of a long file that was read for all of it', async () => {
    const bench = () => new Workbench({ 'long.txt': 'line\n'.repeat(2500) });
    expect((await run('summarise long.txt', bench())).text).toContain(
      '`long.txt` has 2500 lines, of which I read 1 to 2000.',
    );
    expect((await run('show long.txt', bench())).text).toMatch(/^`long\.txt`, lines 1 to 200 of 2500:\n/);
  });

  it('explains the lines that a prompt mentions', async () => {
    const { calls, text } = await run('explain @src/index.ts:1-2');
    expect(calls).toEqual(['read']);
    expect(text).toBe(
      '`src/index.ts`, lines 1 to 2 of 3:\n```ts\nexport function start() {\n  return read(); // TODO: stop\n```\n\nThey define `start`.',
    );
    expect((await run('explain @src/index.ts:2')).text).toMatch(/^`src\/index\.ts`, line 2 of 3:\n/);
    expect((await run('explain @src/read.ts')).text).toMatch(/^`src\/read\.ts` has 2 lines\./);
  });

  it('writes a quoted text as it is', async () => {
    const mixed = await run('create a.txt with the text "it\'s a \\"q\\""');
    expect(mixed.bench.files.text('/p/a.txt')).toBe('it\'s a "q"\n');
    const lines = await run('create b.txt with the text "line1\nline2"');
    expect(lines.bench.files.text('/p/b.txt')).toBe('line1\nline2\n');
    const single = await run("create c.txt with the text 'it's so'.");
    expect(single.bench.files.text('/p/c.txt')).toBe("it's so\n");
  });

  it('shows files, lines and folders', async () => {
    expect((await run('show src/read.ts')).text).toBe(
      '`src/read.ts`, lines 1 to 2:\n```ts\nexport const read = () => 1;\n// todo: more sensors\n```',
    );
    expect((await run('show lines 2-2 of src/read.ts')).text).toBe(
      '`src/read.ts`, line 2:\n```ts\n// todo: more sensors\n```',
    );
    expect((await run('list the files in src')).text).toBe('`src`:\n```\nsrc/\n  index.ts\n  read.ts\n```');
    expect((await run('show nowhere.txt')).text).toMatch(
      /^I could not read `nowhere\.txt`: Nothing was read: /,
    );
  });

  it('replaces text: reads first, then edits', async () => {
    const { bench, calls, text } = await run('replace "old value" by "new value" in docs/notes.txt');
    expect(calls).toEqual(['read', 'edit']);
    expect(text).toBe('`docs/notes.txt`: Edited docs/notes.txt: 1 replacement, at line 1.');
    expect(bench.files.text('/p/docs/notes.txt')).toBe('new value, old habits\n');
  });

  it('does not guess which of several places is meant', async () => {
    const { bench, text } = await run('replace old by new in docs/notes.txt');
    expect(bench.files.text('/p/docs/notes.txt')).toBe(project['docs/notes.txt']);
    expect(text).toContain('occurs 2 times');
    expect(text).toContain('Say “replace all … by … in docs/notes.txt” to change every place.');
    const all = await run('replace all old by new in docs/notes.txt');
    expect(all.bench.files.text('/p/docs/notes.txt')).toBe('new value, new habits\n');
  });

  it('replaces everywhere', async () => {
    const { bench, calls, text } = await run('rename read to measure everywhere');
    expect(calls).toEqual(['grep', 'read', 'read', 'edit', 'edit']);
    expect(bench.files.text('/p/src/index.ts')).toContain('measure()');
    expect(bench.files.text('/p/src/read.ts')).toContain('const measure');
    expect(text.split('\n')).toHaveLength(2);
  });

  it('creates a file, and leaves one alone that exists', async () => {
    const made = await run('create hello.txt with the text "hi there"');
    expect(made.bench.files.text('/p/hello.txt')).toBe('hi there\n');
    expect(made.text).toBe('`hello.txt` is written: Created hello.txt: 1 line, 9 bytes.');
    const kept = await run('create README.md with the text "gone"');
    expect(kept.bench.files.text('/p/README.md')).toBe(project['README.md']);
    expect(kept.text).toMatch(/^I could not write `README\.md`: README\.md was not read yet/);
  });

  it('runs commands and the tests of the project, and tells of failures', async () => {
    const fine = await run(
      'run `echo hi`',
      withCommands(() => ({ output: 'hi\n' })),
    );
    expect(fine.text).toBe('`echo hi` ran:\n```\nexit code 0, 0.0 s\nhi\n```');
    const tests = await run(
      'run the tests',
      withCommands(() => ({ output: '1 failed\n', exitCode: 1 })),
    );
    expect(tests.calls).toEqual(['read', 'read', 'bash']);
    expect(tests.text).toBe('`npm test` failed:\n```\nexit code 1, 0.0 s\n1 failed\n```');
    expect((await run('run the linter')).text).toMatch(
      /^I found nothing here that says how to lint this project/,
    );
  });

  it('does several things in a row', async () => {
    const bench = withCommands(() => ({ output: 'ok\n' }));
    const { calls, text } = await run(
      'replace "old value" with "x" in docs/notes.txt, and then run npm test',
      bench,
    );
    expect(calls).toEqual(['read', 'edit', 'bash']);
    expect(text).toBe(
      '`docs/notes.txt`: Edited docs/notes.txt: 1 replacement, at line 1.\n\n`npm test` ran:\n```\nexit code 0, 0.0 s\nok\n```',
    );
  });
});
