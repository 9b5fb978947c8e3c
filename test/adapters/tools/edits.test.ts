import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { project } from './project.ts';

const p = project();
const bom = '\ufeff';

describe('edit', () => {
  it('EDIT-01 replaces literally', async () => {
    await p().seen('a.js', 'log("done");\n');
    const result = await p().edit('a.js', 'log("done");', 'log("$& ok");');
    expect([result.content, await p().text('a.js')]).toEqual([
      'Edited a.js: 1 replacement, at line 1.',
      'log("$& ok");\n',
    ]);
    expect(result.display).toContain('-log("done");\n+log("$& ok");');
  });

  it('EDIT-03 keeps the line ends of the file', async () => {
    await p().seen('a.py', 'def f():\r\n    a\r\n    b\r\n');
    await p().edit('a.py', '    a\n    b', '    a\n    c\n    b');
    expect(await p().text('a.py')).toBe('def f():\r\n    a\r\n    c\r\n    b\r\n');
  });

  it('EDIT-06 keeps one byte order mark', async () => {
    await p().seen('a.txt', `${bom}hello\n中文\n`);
    await p().edit('a.txt', 'hello', 'hello2');
    expect(await p().text('a.txt')).toBe(`${bom}hello2\n中文\n`);
    await p().edit('a.txt', `${bom}hello2`, `${bom}hello3`);
    expect(await p().text('a.txt')).toBe(`${bom}hello3\n中文\n`);
  });

  it('EDIT-08 changes only the matched bytes of a file in another encoding', async () => {
    await p().seen('a.py', Buffer.from('636166e9203d20310a', 'hex'));
    await p().edit('a.py', '1', '2');
    expect((await p().bytes('a.py')).toString('hex')).toBe('636166e9203d20320a');
    const mixed = await p().edit('a.py', '2', 'é');
    expect([mixed.isError, mixed.content]).toEqual([true, expect.stringContaining('not UTF-8')]);
    const other = await p().edit('a.py', 'café', 'x');
    expect([other.isError, other.content]).toEqual([true, expect.stringContaining('not UTF-8')]);
    expect((await p().bytes('a.py')).toString('hex')).toBe('636166e9203d20320a');
  });

  it('EDIT-10 names another unicode form, and shows text that can be copied', async () => {
    const text = 'cafe\u0301 = 1\nx\n';
    await p().seen('a.py', text);
    const result = await p().edit('a.py', 'caf\u00e9 = 1', 'caf\u00e9 = 2');
    expect([result.isError, result.content]).toEqual([true, expect.stringContaining('unicode form')]);
    expect(await p().text('a.py')).toBe(text);
    const [, copied = ''] = /<<<<\n(.*)\n>>>>/s.exec(result.content) ?? [];
    expect((await p().edit('a.py', copied, 'tea = 2')).isError).toBeUndefined();
    expect(await p().text('a.py')).toBe('tea = 2\nx\n');
  });

  it('EDIT-12 points at the nearest place and what differs', async () => {
    const text =
      'function addTax(a) {\n  const r = a * 1.2;\n  return r;\n}\n' +
      'function addTip(a) {\n  const r = a * 1.1;\n  return r;\n}\n';
    await p().seen('a.js', text);
    const old = 'function addTip(a) {\n  const r = a * 1.15;\n  return r;\n}';
    const result = await p().edit('a.js', old, 'X');
    expect(result).toEqual({
      isError: true,
      content: [
        '`old_string` does not occur in a.js, and nothing was changed.',
        'The nearest place is lines 5 to 8, between the marks exactly as it stands in the file:',
        '<<<<',
        'function addTip(a) {',
        '  const r = a * 1.1;',
        '  return r;',
        '}',
        '>>>>',
        'It differs from what was sent:',
        '- line 6: the file has `1.1`, the call `1.15`',
        'If this is the place, send its text as `old_string`.',
      ].join('\n'),
    });
    expect(await p().text('a.js')).toBe(text);
  });

  it('EDIT-14 lists the lines of several matches, and replaces all when asked', async () => {
    const text = 'a\nx = 1\nb\nc\nx = 1\nd\n';
    await p().seen('a.py', text);
    const result = await p().edit('a.py', 'x = 1', 'x = 2');
    expect([result.isError, result.content]).toEqual([true, expect.stringContaining('lines 2, 5')]);
    expect(await p().text('a.py')).toBe(text);
    const all = await p().edit('a.py', 'x = 1', 'x = 2\ny', true);
    expect(all.content).toBe('Edited a.py: 2 replacements, at lines 2, 6.');
    expect(await p().text('a.py')).toBe('a\nx = 2\ny\nb\nc\nx = 2\ny\nd\n');
  });

  it('EDIT-16 says where the file has a tab for blanks', async () => {
    await p().seen('Makefile', 'all:\n\tgo build\n');
    const result = await p().edit('Makefile', 'all:\n    go build', 'x');
    expect([result.isError, result.content]).toEqual([
      true,
      expect.stringContaining(
        '- line 2: the file begins with one tab, the call with 4 blanks; escaped, the file has "\\tgo build"',
      ),
    ]);
    expect(await p().text('Makefile')).toBe('all:\n\tgo build\n');
  });

  it('EDIT-18 keeps trailing blanks, those in the replacement too', async () => {
    await p().seen('a.md', 'one  \ntwo\n');
    await p().edit('a.md', 'two', '2');
    expect(await p().text('a.md')).toBe('one  \n2\n');
    await p().edit('a.md', 'one  ', 'uno  ');
    expect(await p().text('a.md')).toBe('uno  \n2\n');
  });

  it('EDIT-20 fills an empty file, and refuses what changes nothing or everything', async () => {
    await p().seen('empty', '');
    expect((await p().edit('empty', '', 'x\n')).isError).toBeUndefined();
    expect(await p().text('empty')).toBe('x\n');
    expect((await p().edit('empty', '', 'y')).isError).toBe(true);
    expect((await p().edit('empty', 'x', 'x')).isError).toBe(true);
    expect(await p().text('empty')).toBe('x\n');
  });

  it('EDIT-21 keeps the mode', async () => {
    for (const mode of [0o755, 0o600]) {
      await p().seen('run.sh', 'a\n', mode);
      await p().edit('run.sh', 'a', 'b');
      expect([(await fs.stat(p().at('run.sh'))).mode & 0o777, await p().text('run.sh')]).toEqual([
        mode,
        'b\n',
      ]);
      await fs.rm(p().at('run.sh'));
    }
  });

  it('EDIT-24 takes a file that was only touched as unchanged', async () => {
    await p().seen('a', 'x\n');
    await fs.utimes(p().at('a'), new Date(), new Date(Date.now() + 100_000));
    expect((await p().edit('a', 'x', 'y')).isError).toBeUndefined();
  });

  it('EDIT-28 answers at once where a pipe is', { timeout: 5000 }, async () => {
    execFileSync('mkfifo', [p().at('pipe')]);
    await p().put('a.txt', 'needle\n');
    const calls = [
      await p().call('read', { path: 'pipe' }),
      await p().call('write', { path: 'pipe', content: 'x' }),
      await p().edit('pipe', 'a', 'b'),
      await p().call('grep', { pattern: 'needle', path: 'pipe' }),
    ];
    expect(calls.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    expect((await p().call('grep', { pattern: 'needle' })).content).toBe('a.txt:1:needle');
    expect((await p().call('glob', { pattern: '*' })).content).toBe('a.txt');
  });

  it('EDIT-30 reads lines out of a huge file, and refuses to edit it', { timeout: 30_000 }, async () => {
    await p().put('huge', 'one\ntwo\nthree\n');
    await fs.truncate(p().at('huge'), 1024 ** 3);
    await fs.appendFile(p().at('huge'), '\nlast\n');
    const before = process.memoryUsage().rss;
    const some = await p().call('read', { path: 'huge', offset: 2, limit: 2 });
    expect(some.content).toMatch(/^2\ttwo\n3\tthree\n\[lines 2 to 3; .*read on with `offset` 4\]$/);
    const end = await p().call('read', { path: 'huge', offset: 5 });
    expect(end.content).toMatch(/^5\tlast\n\[lines 5 to 5, the last; /);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    const edit = await p().edit('huge', 'two', '2');
    expect([edit.isError, edit.content]).toEqual([true, expect.stringContaining('`bash`')]);
  });

  it('refuses what was not read, and what has changed since', async () => {
    await p().put('a', 'x\n');
    expect((await p().edit('a', 'x', 'y')).content).toBe(
      'a was not read yet, and nothing was changed. Read it with `read`, then send the call again.',
    );
    await p().call('read', { path: 'a' });
    await p().put('a', 'x\nmore\n');
    expect((await p().edit('a', 'x', 'y')).content).toContain('has changed since it was read');
    expect(await p().text('a')).toBe('x\nmore\n');
  });

  it('finds its text whatever line ends it is sent with, and leaves the others', async () => {
    await p().seen('mixed', 'a\r\nb\nc\r\nd\n');
    await p().edit('mixed', 'c\nd', 'c\r\nD');
    expect(await p().text('mixed')).toBe('a\r\nb\nc\r\nD\n');
  });

  it.each([
    ['indented otherwise', '\tif (a) {\n\t\treturn “b”;\n\t}', '    if (a) {\n        return “b”;\n    }'],
    ['with other quotes', 'say “yes”', 'say "yes"'],
    ['with blanks at the end', 'one  \ntwo', 'one\ntwo'],
    ['with a no-break blank', 'a\u00a0b', 'a b'],
    ['with line numbers', 'const b;\nconst c;', '2\tconst b;\n3\tconst c;'],
    ['with line ends as two characters', 'const b;\nconst c;', 'const b;\\nconst c;'],
    ['with another word', 'const total = sum(a, b);', 'const total = sum(a, c);'],
  ])('shows what can be copied for a text %s', async (_, there, sent) => {
    await p().seen('a', `first\n${there}\nlast\n`);
    const { content, isError } = await p().edit('a', sent, 'X');
    const [, plain, escaped] = /<<<<\n(.*)\n>>>>|as a JSON string:\n(.*)\n/s.exec(content) ?? [];
    const copied = plain ?? (JSON.parse(escaped?.split('\n')[0] ?? '""') as string);
    expect([isError, copied]).toEqual([true, there]);
    expect((await p().edit('a', copied, 'X')).isError).toBeUndefined();
    expect(await p().text('a')).toBe('first\nX\nlast\n');
  });

  it('does not write through a link', async () => {
    await p().put('real', 'x\n');
    await fs.symlink('real', p().at('link'));
    await p().call('read', { path: 'link' });
    expect((await p().edit('link', 'x', 'y')).isError).toBe(true);
    expect((await p().edit('real', 'x', 'y')).isError).toBeUndefined();
  });
});

describe('multi_edit', () => {
  it('makes all changes in order, or none', async () => {
    await p().seen('a', 'one\ntwo\n');
    const edits = [
      { old_string: 'one', new_string: 'ONE' },
      { old_string: 'ONE\ntwo', new_string: 'three' },
    ];
    expect((await p().call('multi_edit', { path: 'a', edits })).content).toBe(
      'Edited a: 2 replacements, at line 1.',
    );
    expect(await p().text('a')).toBe('three\n');
    const failing = [
      { old_string: 'three', new_string: '3' },
      { old_string: 'four', new_string: '4' },
    ];
    const result = await p().call('multi_edit', { path: 'a', edits: failing });
    expect([result.isError, result.content.split('\n')[0]]).toEqual([
      true,
      'Edit 2 of 2: `old_string` does not occur in a, and nothing was changed.',
    ]);
    expect(await p().text('a')).toBe('three\n');
  });
});

describe('write', () => {
  it('creates a file with its folders', async () => {
    const result = await p().call('write', { path: 'new/a/b.txt', content: 'x\ny' });
    expect(result.content).toBe('Created new/a/b.txt: 2 lines, 3 bytes.');
    expect(await p().text('new/a/b.txt')).toBe('x\ny');
    expect((await p().edit('new/a/b.txt', 'x', 'z')).isError).toBeUndefined();
  });

  it('replaces only what was read, and keeps its byte order mark and line ends', async () => {
    await p().put('a', `${bom}x\r\ny\r\n`);
    expect((await p().call('write', { path: 'a', content: 'z' })).isError).toBe(true);
    await p().call('read', { path: 'a' });
    const result = await p().call('write', { path: 'a', content: 'é\nb\n' });
    expect([result.content, await p().text('a')]).toEqual([
      'Replaced a: 2 lines, 10 bytes.',
      `${bom}é\r\nb\r\n`,
    ]);
  });

  it('does not write half a character', async () => {
    const result = await p().call('write', { path: 'a', content: 'x\ud83d' });
    expect([result.isError, await fs.readdir(p().root)]).toEqual([true, []]);
  });
});

describe('write, edit and multi_edit', () => {
  const calls = (path: string) =>
    Promise.all([
      p().call('write', { path, content: 'x' }),
      p().edit(path, 'x', 'y'),
      p().call('multi_edit', { path, edits: [{ old_string: 'x', new_string: 'y' }] }),
    ]);

  it('say that nothing can be written below a file', async () => {
    await p().put('a.txt', 'x\n');
    const content =
      'Nothing was changed: a.txt is a file, so nothing can be written below it. Name another path.';
    expect(await calls('a.txt/x')).toEqual(Array.from({ length: 3 }, () => ({ content, isError: true })));
    expect(await calls('a.txt/x/y')).toEqual(Array.from({ length: 3 }, () => ({ content, isError: true })));
  });

  it('do not make a working directory again that is gone', async () => {
    await fs.rm(p().root, { recursive: true });
    const content = `Nothing was changed: working directory no longer exists: ${p().root}`;
    expect(await calls('a.txt')).toEqual(Array.from({ length: 3 }, () => ({ content, isError: true })));
    await expect(fs.stat(p().root)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('say of a link that it leads nowhere', async () => {
    await fs.symlink('loop', p().at('loop'));
    const content = 'loop is a symbolic link, through which nothing is written. It leads nowhere.';
    expect(await calls('loop')).toEqual(Array.from({ length: 3 }, () => ({ content, isError: true })));
  });
});
