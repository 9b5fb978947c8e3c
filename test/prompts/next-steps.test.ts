import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../adapters/tools/builtin.ts';
import { argumentsBroken, outputCut, unknownTool } from '../../domain/prompt/refusals.ts';
import { truncate } from '../../domain/text/cut.ts';
import { Workbench } from './workbench.ts';

/** The nearest place as an edit's error shows it: what a model would copy. */
function shownPlace(error: string): string {
  const json = /as a JSON string:\n(".*")\n/.exec(error)?.[1];
  if (json !== undefined) return JSON.parse(json) as string;
  const place = /^<<<<\n([\s\S]*?)\n>>>>$/m.exec(error)?.[1];
  if (place === undefined) throw new Error(`no place is shown in: ${error}`);
  return place;
}

const names = builtinTools.map(({ spec }) => spec.name);
const unquoted = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

describe('the next step that an error names works', () => {
  it.each([
    ['blanks for a tab', 'all:\n\tgo build\n', 'all:\n    go build'],
    ['a trailing blank', 'one  \ntwo\n', 'one\ntwo'],
    ['quotes', 'say “yes”\n', 'say "yes"'],
    ['the unicode form', 'cafe\u0301 = 1\nx\n', 'caf\u00e9 = 1'],
    ['line numbers', 'a\nconst b = 2;\nconst c = 3;\n', '2\tconst b = 2;\n3\tconst c = 3;'],
    ['two characters for a line end', 'const a = 1;\nconst b = 2;\n', 'const a = 1;\\nconst b = 2;'],
    [
      'another value',
      'f(1.2);\nfunction addTip(a) {\n  return a * 1.1;\n}\n',
      'function addTip(a) {\n  return a * 1.15;\n}',
    ],
    ['line ends of Windows', 'all:\r\n\tgo build\r\n', 'all:\n  go build'],
  ])('copies the nearest place out of an error about %s', async (_, content, oldString) => {
    const bench = new Workbench({ 'a.txt': content });
    await bench.done('read', { path: 'a.txt' });
    const error = await bench.error('edit', { path: 'a.txt', old_string: oldString, new_string: 'done' });
    expect(bench.files.text('/p/a.txt')).toBe(content);
    await bench.done('edit', { path: 'a.txt', old_string: shownPlace(error), new_string: 'done' });
    expect(bench.files.text('/p/a.txt')).toMatch(/done/);
  });

  it('reads the file when no place is near, and copies from it', async () => {
    const bench = new Workbench({ 'a.txt': 'x = 1\n' });
    await bench.done('read', { path: 'a.txt' });
    const error = await bench.error('edit', {
      path: 'a.txt',
      old_string: 'wholly other words',
      new_string: 'y',
    });
    expect(error).toContain('Read the file');
    const line = (await bench.done('read', { path: 'a.txt' })).split('\t')[1] ?? '';
    await bench.done('edit', { path: 'a.txt', old_string: line, new_string: 'y' });
  });

  it('adds a line of context, or replaces all, when several places match', async () => {
    const bench = new Workbench({ 'a.txt': 'a\nx = 1\nb\nc\nx = 1\nd\n' });
    const shown = (await bench.done('read', { path: 'a.txt' }))
      .split('\n')
      .map((line) => line.split('\t')[1]);
    const error = await bench.error('edit', { path: 'a.txt', old_string: 'x = 1', new_string: 'y' });
    const line = Number(unquoted(error, /at lines \d+, (\d+)/));
    const longer = `${shown[line - 2]}\n${shown[line - 1]}`;
    await bench.done('edit', { path: 'a.txt', old_string: longer, new_string: 'c\nx = 2' });
    expect(bench.files.text('/p/a.txt')).toBe('a\nx = 1\nb\nc\nx = 2\nd\n');
    bench.files.put('/p/a.txt', 'x = 1\nx = 1\n');
    await bench.done('read', { path: 'a.txt' });
    expect(await bench.error('edit', { path: 'a.txt', old_string: 'x = 1', new_string: 'y' })).toContain(
      '`replace_all`',
    );
    await bench.done('edit', { path: 'a.txt', old_string: 'x = 1', new_string: 'y', replace_all: true });
    expect(bench.files.text('/p/a.txt')).toBe('y\ny\n');
  });

  it.each(['edit', 'write', 'multi_edit'])(
    'reads the file that %s had not read, or that has changed',
    async (tool) => {
      const bench = new Workbench({ 'a.txt': 'one\n' });
      const change = { old_string: 'one', new_string: '1' };
      const input = { edit: { ...change }, write: { content: '1\n' }, multi_edit: { edits: [change] } }[tool];
      expect(await bench.error(tool, { path: 'a.txt', ...input })).toContain('`read`');
      await bench.done('read', { path: 'a.txt' });
      bench.files.put('/p/a.txt', 'one\ntwo\n');
      expect(await bench.error(tool, { path: 'a.txt', ...input })).toContain('`read`');
      await bench.done('read', { path: 'a.txt' });
      await bench.done(tool, { path: 'a.txt', ...input });
    },
  );

  it('mends the edit that failed among several', async () => {
    const bench = new Workbench({ 'a.txt': 'one\n\ttwo words\n' });
    await bench.done('read', { path: 'a.txt' });
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: '  two words', new_string: '2' },
    ];
    const error = await bench.error('multi_edit', { path: 'a.txt', edits });
    expect(error).toMatch(/^Edit 2 of 2: /);
    const mended = [edits[0], { old_string: shownPlace(error), new_string: '2' }];
    await bench.done('multi_edit', { path: 'a.txt', edits: mended });
    expect(bench.files.text('/p/a.txt')).toBe('1\n2\n');
  });

  it('takes the name that the error calls right', async () => {
    const bench = new Workbench({ 'src/index.ts': 'one\n' });
    const missing = await bench.error('read', { path: 'src/indx.ts' });
    await bench.done('read', { path: unquoted(missing, /There is: (\S+?)[,.]?$/m) });
    const misspelt = await bench.error('edit', { path: 'src/index.ts', old_string: 'one', new_strng: '1' });
    const right = unquoted(misspelt, /the field is called `(\w+)`/);
    await bench.done('edit', { path: 'src/index.ts', old_string: 'one', [right]: '1' });
    const folder = await bench.error('grep', { pattern: '1', path: 'scr' });
    expect(await bench.done('grep', { pattern: '1', path: unquoted(folder, /There is: (\w+)/) })).toContain(
      'src/index.ts',
    );
  });

  it('looks with glob for a file that is nowhere near', async () => {
    const bench = new Workbench({ 'deep/down/here.ts': 'one\n' });
    expect(await bench.error('read', { path: 'here.ts' })).toContain('`glob`');
    const path = await bench.done('glob', { pattern: 'here.ts' });
    await bench.done('read', { path });
  });

  it('reads from a line that exists, and reads on', async () => {
    const bench = new Workbench({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const past = await bench.error('read', { path: 'a.txt', offset: 9 });
    await bench.done('read', { path: 'a.txt', offset: Number(unquoted(past, /at most (\d+)/)) });
    const part = await bench.done('read', { path: 'a.txt', limit: 2 });
    const next = Number(unquoted(part, /read on with `offset` (\d+)/));
    expect(await bench.done('read', { path: 'a.txt', offset: next })).toBe('3\t3\n4\t4\n5\t5');
  });

  it('escapes what the pattern means literally', async () => {
    const bench = new Workbench({ 'a.txt': 'foo(\n' });
    expect(await bench.error('grep', { pattern: 'foo(' })).toContain('\\(');
    expect(await bench.done('grep', { pattern: 'foo\\(' })).toBe('a.txt:1:foo(');
  });

  it('finds in an ignored folder once the path names it', async () => {
    const bench = new Workbench({ '.gitignore': 'out/\n', 'out/a.txt': 'needle\n' });
    bench.files.folder('/p/.git');
    expect(await bench.done('grep', { pattern: 'needle' })).toContain('`path`');
    expect(await bench.done('grep', { pattern: 'needle', path: 'out' })).toBe('out/a.txt:1:needle');
    expect(await bench.done('glob', { pattern: 'a.txt' })).toContain('`path`');
    expect(await bench.done('glob', { pattern: 'a.txt', path: 'out' })).toBe('out/a.txt');
  });

  it('gives a command a longer time, or lets it go on in the background', async () => {
    const bench = new Workbench({}, (spec) => ({ timedOut: (spec.timeoutMs ?? Infinity) < 300_000 }));
    const { content, isError } = await bench.call('bash', { command: 'npm test' });
    expect(isError).toBe(true);
    expect(content).toMatch(/`timeout` \(at most 600\) or set `run_in_background`/);
    await bench.done('bash', { command: 'npm test', timeout: 600 });
    const started = await bench.done('bash', { command: 'npm test', run_in_background: true });
    const id = unquoted(started, /in the background as (\S+?)\./);
    await bench.done('bash_output', { id });
    await bench.done('bash_stop', { id });
  });

  it('sends one item in progress', async () => {
    const bench = new Workbench();
    const items = [
      { content: 'a', status: 'in_progress' },
      { content: 'b', status: 'in_progress' },
    ];
    expect(await bench.error('todo_write', { items })).toContain('one `in_progress`');
    await bench.done('todo_write', { items: [items[0], { content: 'b', status: 'pending' }] });
  });

  it('writes the first part, then appends with edit, when arguments were cut off again', async () => {
    const text = argumentsBroken('write', 1);
    expect(text).toMatch(/with `write`.*with `edit`/s);
    const bench = new Workbench();
    await bench.done('write', { path: 'long.txt', content: 'first part\n' });
    await bench.done('edit', {
      path: 'long.txt',
      old_string: 'first part\n',
      new_string: 'first part\nsecond part\n',
    });
    expect(bench.files.text('/p/long.txt')).toBe('first part\nsecond part\n');
  });

  it.each([
    'apply_patch',
    'read_file',
    'run_terminal_cmd',
    'write_file',
    'search_files',
    'gerp',
    'todo_wirte',
  ])('names in place of %s a tool that is there', (name) => {
    expect(names).toContain(unquoted(unknownTool(name, names), /(?:Here|Did you mean) `(\w+)`/));
  });

  it('shows less at a time where output was cut', async () => {
    const bench = new Workbench({ 'a.txt': 'line\n'.repeat(4000) });
    const cut = truncate(await bench.done('read', { path: 'a.txt', limit: 4000 }), 1000, outputCut);
    expect(cut).toContain('ask for less at a time');
    const part = await bench.done('read', { path: 'a.txt', offset: 500, limit: 20 });
    expect(truncate(part, 1000, outputCut)).toBe(part);
  });
});
