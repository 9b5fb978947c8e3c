import { readFileSync } from 'node:fs';

/**
 * A page of Markdown, cut up: fenced blocks with their language and first line, the hidden set-up of
 * `<!-- docs-check … -->`, headings, and the lines outside of all that. Lines count from 1.
 */
export function readPage(file, text = readFileSync(file, 'utf8')) {
  const lines = text.replace(/\n$/, '').split('\n');
  const page = { file, lines, blocks: [], prose: [], headings: [] };
  let open = null;
  lines.forEach((line, index) => {
    if (open !== null) {
      if (line.trim() === open.end) {
        page.blocks.push(open);
        open = null;
      } else {
        open.lines.push(line);
      }
      return;
    }
    const fence = /^\s*(`{3,})(\S*)/.exec(line);
    if (fence !== null) open = { language: fence[2], end: fence[1], line: index + 2, lines: [] };
    else if (line === '<!-- docs-check')
      open = { language: 'set-up', end: '-->', line: index + 2, lines: [] };
    else page.prose.push({ line: index + 1, text: line });
    const heading = fence === null && open === null && /^#{1,6} (.+)$/.exec(line);
    if (heading) page.headings.push(heading[1]);
  });
  if (open !== null) page.blocks.push(open);
  return page;
}

/** Text between single backquotes, with the line it stands on. */
export function codeSpans(page) {
  return page.prose.flatMap(({ line, text }) =>
    [...text.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , code]) => ({
      line,
      text: code.replaceAll('\\|', '|').trim(),
    })),
  );
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
