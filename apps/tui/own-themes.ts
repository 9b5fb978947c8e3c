import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { contrastProblems, parseTheme } from '../../adapters/frontends/blessed/look/theme-file.ts';
import type { Theme } from '../../adapters/frontends/blessed/look/theme.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { errorText } from '../../ports/errors.ts';

/** Themes from files, and what is wrong with the others. */
export interface OwnThemes {
  themes: readonly Theme[];
  problems: readonly string[];
}

/** What is hard to read in a theme, in a sentence; null: nothing. */
export function contrastNotice(theme: Theme): string | null {
  const [first, ...more] = contrastProblems(theme);
  if (first === undefined) return null;
  const others = more.length === 0 ? '' : `, and ${more.length} more of its pairs have too little`;
  return `the theme ${oneLine(theme.name)} is hard to read: ${first}${others}`;
}

const mostThemes = 100;
const largestBytes = 100_000;

async function readTheme(file: string, name: string): Promise<Theme | { problem: string }> {
  try {
    if ((await stat(file)).size > largestBytes) throw new Error('it is too large for a theme');
    return parseTheme(JSON.parse(await readFile(file, 'utf8')) as unknown, name);
  } catch (error) {
    return { problem: `${oneLine(file)}: ${oneLine(errorText(error))}` };
  }
}

/** The themes of a folder, a JSON file each; none where there is no such folder. */
export async function ownThemes(folder: string): Promise<OwnThemes> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  const read = await Promise.all(
    names.slice(0, mostThemes).map((name) => readTheme(join(folder, name), name.slice(0, -'.json'.length))),
  );
  return {
    themes: read.flatMap((one) => ('problem' in one ? [] : [one])),
    problems: read.flatMap((one) => ('problem' in one ? [one.problem] : [])),
  };
}
