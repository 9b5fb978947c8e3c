import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { anchorOf, readPage } from './page.mjs';

const banned =
  /\b(powerful|seamless(ly)?|robust(ly)?|comprehensive(ly)?|simply|easily|effortless(ly)?|blazing(ly)?|cutting-edge|state-of-the-art|world-class|best-in-class|elegant(ly)?|delightful|rich set|coming soon|roadmap|will be|will support|in the future|in a later version)\b/i;

/** Pages may have 200 lines, README 150. */
export function lengthProblems(page) {
  const limit = basename(page.file) === 'README.md' ? 150 : 200;
  const { length } = page.lines;
  if (length <= limit) return [];
  return [{ file: page.file, line: limit + 1, text: `${length} lines; at most ${limit}` }];
}

/** Praise and promises: the pages say what is. */
export function wordProblems(page) {
  return page.prose.flatMap(({ line, text }) => {
    const found = banned.exec(text.replace(/`[^`]*`/g, ''));
    return found === null
      ? []
      : [{ file: page.file, line, text: `"${found[0]}": say what is, without praise or promise` }];
  });
}

/** Links to files and headings that are not there. */
export function linkProblems(page) {
  return page.prose.flatMap(({ line, text }) =>
    [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
      if (/^[a-z]+:/i.test(target)) return [];
      const [path, anchor] = target.split('#');
      const file = path === '' ? page.file : join(dirname(page.file), path);
      if (!existsSync(file)) return [{ file: page.file, line, text: `link to ${target}: no such file` }];
      if (anchor === undefined) return [];
      const there = path === '' ? page : readPage(file);
      if (there.headings.map(anchorOf).includes(anchor)) return [];
      return [{ file: page.file, line, text: `link to ${target}: no such heading` }];
    }),
  );
}

function paragraphs(page) {
  const found = [];
  let last = null;
  for (const { line, text } of page.prose) {
    if (text.trim() === '') {
      last = null;
    } else if (last !== null && last.end === line - 1 && !/^\s*([-*|]|\d+\.) ?/.test(text)) {
      last.text += ` ${text}`;
      last.end = line;
    } else {
      last = { file: page.file, line, end: line, text };
      found.push(last);
    }
  }
  return found;
}

/** Runs of five words, of a paragraph that has at least twelve. */
function shingles(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 12) return null;
  return new Set(words.slice(4).map((_, index) => words.slice(index, index + 5).join(' ')));
}

/** Paragraphs (items of lists and rows of tables too) that say on two pages mostly the same. */
export function repeatProblems(pages) {
  const all = pages.flatMap(paragraphs).map((each) => ({ ...each, shingles: shingles(each.text) }));
  const known = all.filter((each) => each.shingles !== null);
  return known.flatMap((one, index) =>
    known.slice(0, index).flatMap((other) => {
      if (one.file === other.file) return [];
      const shared = [...one.shingles].filter((each) => other.shingles.has(each)).length;
      if (shared < 0.6 * Math.min(one.shingles.size, other.shingles.size)) return [];
      return [
        { file: one.file, line: one.line, text: `repeats ${other.file}:${other.line}; link there instead` },
      ];
    }),
  );
}
