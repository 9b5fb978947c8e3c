import { PortError } from '../../ports/errors.ts';
import type { NamedText } from './loop-texts.ts';
import { Workbench } from './workbench.ts';

type Files = Record<string, string | Uint8Array>;

/** The error of a call after the files were read; `path` names the tool that is tried. */
async function failed(
  name: string,
  tool: string,
  input: Record<string, unknown>,
  files: Files = {},
  seen: readonly string[] = Object.keys(files),
): Promise<NamedText> {
  const bench = new Workbench(files);
  for (const path of seen) await bench.done('read', { path });
  return { name: `${tool}: ${name}`, text: await bench.error(tool, input) };
}

async function commandResult(
  name: string,
  output: string,
  result: Parameters<typeof bashBench>[1],
): Promise<NamedText> {
  return {
    name: `bash: ${name}`,
    text: (await bashBench(output, result).call('bash', { command: 'make' })).content,
  };
}

function bashBench(
  output: string,
  result: { exitCode?: number; timedOut?: boolean; result?: object },
): Workbench {
  return new Workbench({}, () => ({ output, ...result }));
}

const makefile = { Makefile: 'all:\n\tgo build\n' };
const edit = (path: string, oldString: string, newString = 'x') => ({
  path,
  old_string: oldString,
  new_string: newString,
});

/** Every error of the tools (spec: prompting, "Results"), as the real tools give it. */
export async function toolErrorTexts(): Promise<NamedText[]> {
  const stale = new Workbench({ 'a.txt': 'one\n' });
  await stale.done('read', { path: 'a.txt' });
  stale.files.put('/p/a.txt', 'two\n');
  const gone = new Workbench(
    {},
    () => new PortError('process', 'no_cwd', 'working directory no longer exists: /p', {}),
  );
  return [
    await failed('no match, blanks for a tab', 'edit', edit('Makefile', 'all:\n    go build'), makefile),
    await failed('no match, a blank too few at the end', 'edit', edit('a.md', 'one\ntwo'), {
      'a.md': 'one  \ntwo\n',
    }),
    await failed('no match, other quotes', 'edit', edit('a.md', 'say "yes"'), { 'a.md': 'say “yes”\n' }),
    await failed('no match, other unicode form', 'edit', edit('a.py', 'caf\u00e9 = 1'), {
      'a.py': 'cafe\u0301 = 1\nx\n',
    }),
    await failed(
      'no match, line numbers copied along',
      'edit',
      edit('a.ts', '2\tconst b = 2;\n3\tconst c = 3;'),
      {
        'a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\n',
      },
    ),
    await failed(
      'no match, line end as two characters',
      'edit',
      edit('a.ts', 'const a = 1;\\nconst b = 2;'),
      {
        'a.ts': 'const a = 1;\nconst b = 2;\n',
      },
    ),
    await failed(
      'no match, another value',
      'edit',
      edit('tax.js', 'function addTip(a) {\n  const r = a * 1.15;\n  return r;\n}'),
      {
        'tax.js':
          'function addTax(a) {\n  const r = a * 1.2;\n  return r;\n}\nfunction addTip(a) {\n  const r = a * 1.1;\n  return r;\n}\n',
      },
    ),
    await failed('no match, nothing near', 'edit', edit('a.txt', 'completely different words'), {
      'a.txt': 'x = 1\n',
    }),
    await failed('several matches', 'edit', edit('a.txt', 'x = 1'), {
      'a.txt': 'a\nx = 1\nb\nc\nx = 1\nd\n',
    }),
    await failed('not read', 'edit', edit('a.txt', 'one'), { 'a.txt': 'one\n' }, []),
    { name: 'edit: changed since', text: await stale.error('edit', edit('a.txt', 'one')) },
    await failed('nothing to change', 'edit', edit('a.txt', 'one', 'one'), { 'a.txt': 'one\n' }),
    await failed('empty old_string', 'edit', edit('a.txt', ''), { 'a.txt': 'one\n' }),
    await failed('no such file', 'edit', edit('src/indx.ts', 'a'), { 'src/index.ts': 'a\n' }),
    await failed(
      'one of several fails',
      'multi_edit',
      {
        path: 'a.txt',
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: 'tow', new_string: '2' },
        ],
      },
      { 'a.txt': 'one\ntwo\n' },
    ),
    await failed(
      'exists and was not read',
      'write',
      { path: 'a.txt', content: 'x' },
      { 'a.txt': 'one\n' },
      [],
    ),
    await failed('below a file', 'write', { path: 'a.txt/b', content: 'x' }, { 'a.txt': 'one\n' }, []),
    await failed('no such file, near names', 'read', { path: 'src/indx.ts' }, { 'src/index.ts': 'a\n' }),
    await failed('no such file, nothing near', 'read', { path: 'zzz.ts' }, { 'src/index.ts': 'a\n' }),
    await failed('past the end', 'read', { path: 'a.txt', offset: 9 }, { 'a.txt': 'one\n' }),
    await failed('a field is missing', 'read', { file: 'a.txt' }, { 'a.txt': 'one\n' }),
    await failed(
      'a field is misspelt',
      'edit',
      { path: 'a.txt', old_string: 'one', new_strng: 'x' },
      { 'a.txt': 'one\n' },
    ),
    await failed(
      'a field is of another type',
      'read',
      { path: 'a.txt', offset: 'first' },
      { 'a.txt': 'one\n' },
    ),
    await commandResult('failed', 'FAIL test/a.test.ts\n1 failed, 3 passed\n', { exitCode: 1 }),
    await commandResult('timed out', 'still waiting …\n', { timedOut: true }),
    await commandResult('killed', '', { result: { exitCode: null, signal: 'SIGKILL' } }),
    await commandResult('output cut', 'first line\n', {
      result: { tail: 'last line\n', omitted: 123_456, bytes: 123_477, file: '/data/output/call_1.txt' },
    }),
    { name: 'bash: no working directory', text: await gone.error('bash', { command: 'ls' }) },
    await failed('a NUL character', 'bash', { command: 'echo a\0b' }),
    { name: 'bash_output: unknown id', text: await new Workbench().error('bash_output', { id: 'bg9' }) },
    await failed('pattern is not valid', 'grep', { pattern: 'foo(' }, { 'a.txt': 'foo(\n' }, []),
    await failed('no such folder', 'grep', { pattern: 'foo', path: 'scr' }, { 'src/a.txt': 'foo\n' }, []),
    {
      name: 'grep: nothing found',
      text: await new Workbench({ 'a.txt': 'x\n' }).done('grep', { pattern: 'needle' }),
    },
    {
      name: 'glob: nothing found',
      text: await new Workbench({ 'a.txt': 'x\n' }).done('glob', { pattern: '*.rs' }),
    },
    await failed('two in progress', 'todo_write', {
      items: [
        { content: 'a', status: 'in_progress' },
        { content: 'b', status: 'in_progress' },
      ],
    }),
    {
      name: 'exit_plan_mode: outside plan mode',
      text: await new Workbench().done('exit_plan_mode', { plan: 'Do it.' }),
    },
    {
      name: 'read: binary',
      text: await new Workbench({ 'a.bin': new Uint8Array([1, 0, 2]) }).done('read', { path: 'a.bin' }),
    },
    {
      name: 'read: a broken picture',
      text: await new Workbench({ 'a.gif': 'GIF89a' }).done('read', { path: 'a.gif' }),
    },
    {
      name: 'read: UTF-16',
      text: await new Workbench({ 'a.csv': new Uint8Array([0xff, 0xfe, 97, 0]) }).done('read', {
        path: 'a.csv',
      }),
    },
    {
      name: 'read: more lines than are returned',
      text: await new Workbench({ 'a.txt': 'x\n'.repeat(5) }).done('read', { path: 'a.txt', limit: 2 }),
    },
  ];
}
