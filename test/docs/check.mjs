import { outputProblems, runPage } from './console.mjs';
import { knownNames, nameProblems } from './names.mjs';
import { readPage } from './page.mjs';
import { lengthProblems, linkProblems, repeatProblems, wordProblems } from './prose.mjs';

/**
 * All that is wrong with these pages, in their order, each as {file, line, text}; and what their
 * commands printed. Paths are relative to `root`, which is the working folder. Two pages run at a time.
 */
export async function checkPages(files, root, known = knownNames(root)) {
  const pages = files.map((file) => ({ page: readPage(file), ran: [] }));
  const rest = [...pages];
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift())
      next.ran = await runPage(next.page, root);
  };
  await Promise.all([worker(), worker()]);
  const problems = pages.flatMap(({ page, ran }) => [
    ...lengthProblems(page),
    ...wordProblems(page),
    ...linkProblems(page),
    ...nameProblems(page, known),
    ...outputProblems(page, ran).map((problem) => ({ ...problem, kind: 'output' })),
  ]);
  return { problems: [...problems, ...repeatProblems(pages.map(({ page }) => page))], pages };
}
