import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { MarkdownStream } from '../../../../../adapters/frontends/blessed/markdown/markdown-stream.ts';
import { drawMarkdown } from '../../../../../adapters/frontends/blessed/markdown/markdown.ts';
import { lineCells, textOf, type Line } from '../../../../../adapters/frontends/blessed/text/line.ts';

const look = { glyphs: unicodeGlyphs, now: 0 };
const texts = (rows: readonly Line[]) => rows.map(textOf);
const drawn = (text: string, columns: number) => texts(drawMarkdown(text, columns, look));
const spanOf = (text: string, part: string) =>
  drawMarkdown(text, 80, look)
    .flat()
    .find((each) => each.text === part);

const mixed = `# Title
Some *text* with **bold** and \`code\`,
soft broken  
hard broken. &lt;b&gt; <b>html</b>

1. first item, long enough to be wrapped
2. second
   - nested 你好

- [x] done
- [ ] open

> quote e\u0301
> > 👨‍👩‍👧

| Name | Wert | 说明 |
|:-----|-----:|:--:|
| a | 1 | 你好世界 |
| שלום | 23 | x |

\`\`\`ts
const aRatherLongName = 'that is wrapped';

\tx
\`\`\`
---
`;

describe('blocks', () => {
  test('are rows of a narrow screen', () => {
    expect(drawn(mixed, 40)).toEqual([
      'Title',
      'Some text with bold and code, soft',
      'broken',
      'hard broken. <b> <b>html</b>',
      '',
      '1. first item, long enough to be wrapped',
      '2. second',
      '   • nested 你好',
      '',
      '✓ done',
      '○ open',
      '',
      '│ quote e\u0301',
      '│ ',
      '│ │ 👨‍👩‍👧',
      '',
      'Name  Wert    说明',
      '────  ────  ────────',
      'a        1  你好世界',
      'שלום    23     x',
      '',
      '  ts',
      "  const aRatherLongName = 'that is wrapp",
      "  ed';",
      '',
      '      x',
      '',
      '─'.repeat(40),
    ]);
  });

  test('of a table that is too wide are one row for each cell', () => {
    const table = '| Name | Meaning | Kind |\n|-|-|-|\n| alpha | the first letter | x |\n| b | c | d |\n';
    expect(drawn(table, 20)).toEqual([
      'Name: alpha',
      'Meaning: the first',
      '  letter',
      'Kind: x',
      '',
      'Name: b',
      'Meaning: c',
      'Kind: d',
    ]);
  });

  test('a line below makes a heading of a paragraph of some length only', () => {
    const bold = (lines: number): boolean =>
      drawMarkdown(`${'word\n'.repeat(lines)}===\n`, 80, look)
        .flat()
        .every(({ style }) => style.bold === true);
    expect(bold(3)).toBe(true);
    expect(bold(190)).toBe(true);
    expect(bold(2_000)).toBe(false);
    for (let lines = 196; lines < 202; lines += 1)
      expect(drawn(`${'word\n'.repeat(lines)}===\n`, 80).join(' ')).toMatch(/^word( word)*( ===)?$/);
  });

  test('a footnote is text', () => {
    expect(drawn('a[^1]\n\n[^1]: note', 40)).toEqual(['a[^1]', '', '[^1]: note']);
  });
});

describe('what a text of a model may not do', () => {
  interface Case {
    id: string;
    where: string;
    text: string;
    expect: { forbid: string[]; show: string[] };
  }
  const file = new URL('../../../../fixtures/cases/terminal.jsonl', import.meta.url);
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as Case)
    .filter(({ where }) => where === 'model text');

  test('there are cases', () => expect(cases.map(({ id }) => id)).toContain('term-42'));

  test.each(cases)('$id', ({ text, expect: { forbid, show } }) => {
    const rows = drawMarkdown(text, 80, look);
    const shown = texts(rows).join('\n');
    const links = rows.flat().flatMap(({ style }) => style.link ?? []);
    expect(shown + links.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    for (const each of forbid) expect(shown).not.toContain(each);
    for (const each of links) expect(each).toMatch(/^(?:https?|mailto):/);
    let at = 0;
    for (const each of show) {
      expect(shown.indexOf(each, at)).toBeGreaterThanOrEqual(at);
      at = shown.indexOf(each, at) + each.length;
    }
  });

  test('a link shows where it leads, unless its text says so', () => {
    expect(
      drawn('[docs](https://a.example/x) https://a.example/y [a.example](https://a.example/z)', 99),
    ).toEqual(['docs (https://a.example/x) https://a.example/y a.example']);
    expect(spanOf('[docs](https://a.example/x)', 'docs')?.style).toEqual({
      underline: true,
      link: 'https://a.example/x',
    });
    expect(spanOf('[x](file:///etc/passwd)', 'x')?.style).toEqual({});
  });

  test('the direction of writing is not turned', () => {
    expect(drawn('a\u202eb \u2066c', 40)).toEqual(['a\\u{202e}b \\u{2066}c']);
    expect(drawn('x &amp;lt; &#65;', 40)).toEqual(['x &lt; A']);
    expect(drawn('a&#8238;b &#27;[2J', 40)).toEqual(['a&#8238;b &#27;[2J']);
  });

  test.each([
    ['quotes', '> '.repeat(10_000)],
    ['quotes without blanks', '>'.repeat(10_000)],
    ['lists', '1. '.repeat(10_000)],
    ['emphasis', '_a'.repeat(25_000)],
    ['links', '[a]('.repeat(12_500)],
    ['columns', `${'|a'.repeat(10_000)}\n${'|-'.repeat(10_000)}\n${'|b'.repeat(10_000)}`],
  ])('deep or endless %s end soon', (_name, text) => {
    const start = performance.now();
    const rows = drawMarkdown(text, 80, look);
    expect(rows.length).toBeGreaterThan(0);
    // By far more than it takes; what marked does by itself takes minutes, or overflows the stack.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

const words =
  'alpha|**bold**|*it*|`code`|你好世界|👨‍👩‍👧|e\u0301|שלום|a\u200bb|**open|`tick|[l](https://a.b/c)|https://x.y/z|<b>|' +
  '&amp;|&#27;|&#x202e;|![i&#27;](u&#7;)|\u001b[2J|\u202e|\\*|1.|-|#|> |===|\t|_';
const word = fc.constantFrom(...words.split('|'), '|');
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const sentences = fc.array(sentence, { minLength: 1, maxLength: 5 });
const block = fc.oneof(
  sentences.map((lines) => lines.join('\n')),
  fc.tuple(fc.integer({ min: 1, max: 6 }), sentence).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
  sentences.map((items) => items.map((each, at) => `${'  '.repeat(at % 3)}- ${each}`).join('\n')),
  sentences.map((items) =>
    items.map((each, at) => `${at + 8}. ${each}\n`).join(items.length % 2 === 0 ? '' : '\n'),
  ),
  sentences.map((lines) => lines.map((each) => `> ${each}`).join('\n')),
  sentences.map((lines) => `~~~ts\n${lines.join('\n')}\n~~~`),
  sentences.map((rows) => `|a|b|\n|-|-:|\n${rows.map((each) => `|${each}|x|`).join('\n')}`),
  fc.constantFrom('---', '<div>\nx\n</div>', '    code', 'a\n===', '[^1]: note'),
);
const markdown = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\n'));

describe('any Markdown', () => {
  test('no row is wider than the screen, or has a control character in it', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 2, max: 120 }), (text, columns) => {
        for (const row of drawMarkdown(text, columns, look)) {
          expect(lineCells(row)).toBeLessThanOrEqual(columns);
          expect(textOf(row)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('rows of a text that grows are those of the whole', () => {
    fc.assert(
      fc.property(
        markdown,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 10, max: 90 }),
        (text, step, columns) => {
          const stream = new MarkdownStream();
          for (let end = step; end < text.length; end += step)
            stream.rows({ text: text.slice(0, end) }, columns, look);
          stream.rows({ text }, columns, look);
          const rows = stream.rows({ text }, columns, look);
          expect(rows.slice(0, rows.length)).toEqual(drawMarkdown(text, columns, look));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a text that grows', () => {
  test('what looks like a table for a moment goes on the paragraph', () => {
    const stream = new MarkdownStream();
    const text = 'alpha\nalpha\n| - alpha';
    for (let end = 1; end <= text.length; end += 1) stream.rows({ text: text.slice(0, end) }, 11, look);
    const rows = stream.rows({ text }, 11, look);
    expect(rows.slice(0, rows.length)).toEqual(drawMarkdown(text, 11, look));
  });

  test('a long table keeps its widths', () => {
    const table = `|a|b|\n|-|-|\n${'|one|two|\n'.repeat(300)}`;
    const stream = new MarkdownStream();
    for (let end = 50; end < table.length; end += 50) stream.rows({ text: table.slice(0, end) }, 40, look);
    stream.rows({ text: table }, 40, look);
    const rows = stream.rows({ text: table }, 40, look);
    expect(rows.slice(0, rows.length)).toEqual(drawMarkdown(table, 40, look));
  });

  test('finished rows are not drawn again', () => {
    const stream = new MarkdownStream();
    const before = stream.rows({ text: 'one\n\ntwo\n\nthree' }, 40, look).slice(0, 1)[0];
    expect(stream.rows({ text: 'one\n\ntwo\n\nthree and four' }, 40, look).slice(0, 1)[0]).toBe(before);
  });

  test('another text, or width, is drawn anew', () => {
    const stream = new MarkdownStream();
    stream.rows({ text: 'one two' }, 40, look);
    expect(texts(stream.rows({ text: 'three' }, 40, look).slice(0, 9))).toEqual(['three']);
    expect(texts(stream.rows({ text: 'three four' }, 5, look).slice(0, 9))).toEqual(['three', 'four']);
  });
});
