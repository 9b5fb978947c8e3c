import { expect, test } from 'vitest';
import { droppedPath, mentionOf } from '../../../../../adapters/frontends/blessed/editor/dropped-path.ts';
import { parseMentions } from '../../../../../domain/conversation/mentions.ts';

test.each([
  ['/home/me/a.png', '/home/me/a.png'],
  ['/home/me/a\\ b\\(1\\).png ', '/home/me/a b(1).png'],
  ["'/home/me/a b.png'", '/home/me/a b.png'],
  ['"/home/me/a b.png"\n', '/home/me/a b.png'],
  ["'/home/me/it'\\''s.png'", "/home/me/it's.png"],
  ['file:///home/me/a%20b.png', '/home/me/a b.png'],
  ['file://localhost/tmp/x', '/tmp/x'],
  ['file:///C:/Users/me/a.png', 'C:/Users/me/a.png'],
  ['C:\\Users\\me\\a b.png', 'C:\\Users\\me\\a b.png'],
  ['"C:\\Users\\me\\a b.png"', 'C:\\Users\\me\\a b.png'],
  ['\\\\server\\share\\a.png', '\\\\server\\share\\a.png'],
])('%j is the path %j', (text, path) => {
  expect(droppedPath(text)).toBe(path);
});

test.each([
  '',
  '/',
  '/help',
  '/model gpt',
  'relative/path.png',
  '/one /two',
  '/one\n/two',
  "'/one' '/two'",
  'file://elsewhere/tmp/x',
  'file:///tmp/%zz',
  'file:///tmp/%00',
  'https://example.org/a.png',
  '// a comment',
  'C:\\a.png C:\\b.png',
])('%j is no dropped path', (text) => {
  expect(droppedPath(text)).toBe(null);
});

test.each(['/a.png', '/a b.png', "/it's.png", '/ends.', '/a:10', '/a(1)', 'C:\\a b.png'])(
  'the mention of %j is read as that path',
  (path) => {
    expect(parseMentions(`see ${mentionOf(path)}now`)).toEqual([{ path }]);
  },
);

test('a path that no mention can hold stays a path', () => {
  expect(mentionOf('/a "b".png')).toBe('/a "b".png ');
});
