import { expect, it } from 'vitest';
import { systemWords } from '../../../domain/text/system-words.ts';

it.each([
  [
    Object.assign(new Error("ENOTDIR: not a directory, mkdir '/a'"), { code: 'ENOTDIR' }),
    'a file stands where a folder is needed (ENOTDIR)',
  ],
  [Object.assign(new Error('odd'), { code: 'EODD' }), 'odd'],
  [Object.assign(new Error('odd'), { code: 'toString' }), 'odd'],
  [new Error('no folder can be made there'), 'no folder can be made there'],
  [null, 'null'],
])('says %s in words', (error, expected) => {
  expect(systemWords(error)).toBe(expected);
});
