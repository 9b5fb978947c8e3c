// An answer in Markdown as models write them: prose, lists, code, tables.

/** Ends the answer; no other text of the screen has it. */
export const lastMark = '§';

const section = (number) => `## Part ${number}: what is to be done here

The function in \`src/file-${number}.ts\` is **not** what it *should* be: it reads ${number} rows, keeps
[some of them](https://example.com/${number}), and forgets the rest. 你好, é and others are there as well.

- the first point of part ${number}, which is long enough to take more than one row on a screen of eighty cells
- the second one, with \`code\`
  1. and one below it

\`\`\`ts
export function part${number}(rows: readonly string[]): number {
  // What is empty does not count.
  return rows.filter((row) => row !== '').length + ${number};
}
\`\`\`

| file | rows | what |
| --- | ---: | --- |
| src/file-${number}.ts | ${number} | changed |
| test/file-${number}.test.ts | ${number * 2} | new |

`;

/** At least so many bytes of Markdown in pieces of so many characters. */
export function* markdownPieces(bytes, length) {
  let rest = '';
  let sent = 0;
  for (let number = 1; sent < bytes; number += 1) {
    rest += section(number);
    let at = 0;
    for (; at + length <= rest.length; at += length) yield rest.slice(at, at + length);
    sent += Buffer.byteLength(rest.slice(0, at));
    rest = rest.slice(at);
  }
  yield `${rest}\n\nThis is the end ${lastMark}`;
}
