import { outputProblems, runPage } from './console.mjs';
import { knownNames, nameProblems } from './names.mjs';
import { readPage } from './page.mjs';
import { lengthProblems, linkProblems, repeatProblems, wordProblems } from './prose.mjs';

/**
 * All that is wrong with these pages, in their order, each as {file, line, text}; and what their
 * commands printed. Paths are relative to `root`, which is the working folder.
 */
export function checkPages(files, root, known = knownNames(root)) {
  const pages = files.map((file) => {
    const page = readPage(file);
    return { page, ran: runPage(page, root) };
  });
  const problems = pages.flatMap(({ page, ran }) => [
    ...lengthProblems(page),
    ...wordProblems(page),
    ...linkProblems(page),
    ...nameProblems(page, known),
    ...outputProblems(page, ran).map((problem) => ({ ...problem, kind: 'output' })),
  ]);
  return { problems: [...problems, ...repeatProblems(pages.map(({ page }) => page))], pages };
}
