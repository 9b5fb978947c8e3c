import type { Outcome } from '../current-turn.ts';
import { done, failed, type Job } from './job.ts';
import { refusalText } from './refusal.ts';
import { shownText } from './file-jobs.ts';
import {
  counted,
  folderEntries,
  linesText,
  lineTotal,
  numberedLines,
  pathLines,
  totalOf,
} from './result-text.ts';
import { kindsOfFiles, readmeText, manifestText } from './summary-text.ts';

const readmeName = /^readme(?:\.\w+)?$/i;
const manifests = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'composer.json', 'Makefile'];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const quotedNames = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');
const textOf = (outcome: Outcome): string =>
  numberedLines(outcome.text)
    .map(({ text }) => text)
    .join('\n');

/** The names that some lines of code define. */
function definedNames(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => {
      const match =
        /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub\s+)?(?:function\*?|class|interface|type|enum|def|fn|func|struct)\s+(\w+)/.exec(
          line,
        );
      return match === null ? [] : [`\`${match[1]}\``];
    })
    .slice(0, 20);
}

/** How long a file is, and how much of it was read. */
function lengthText(path: string, result: string): string {
  const last = numberedLines(result).at(-1)?.number ?? 0;
  const total = lineTotal(result);
  if (total === null) return `\`${path}\` is large; I read its lines 1 to ${last}.`;
  const count = `\`${path}\` has ${counted(total, 'line')}`;
  return total === last ? `${count}.` : `${count}, of which I read 1 to ${last}.`;
}

/** A file's beginning: its headings or what it defines, and how long it is. */
function fileSummary(path: string, result: string): string {
  const lines = numberedLines(result).map(({ text }) => text);
  const headings = lines.filter((line) => /^#{1,3} /.test(line)).slice(0, 12);
  const defined = definedNames(lines);
  const parts = [lengthText(path, result)];
  if (headings.length > 0)
    parts.push(`Its headings:\n${headings.map((line) => `- ${line.replace(/^#+ /, '')}`).join('\n')}`);
  if (defined.length > 0) parts.push(`It defines ${defined.join(', ')}.`);
  if (/\.(?:md|txt|rst)$|readme/i.test(path)) parts.push(readmeText(path, lines.join('\n')));
  else if (headings.length + defined.length === 0) {
    parts.push(`It begins with: ${lines.slice(0, 3).join(' ').trim().slice(0, 300)}`);
  }
  return parts.join('\n\n');
}

/** Explains some lines of a file: shows them, with what they define. */
export function* rangeJob(path: string, from: number, to: number): Job {
  const [outcome] = yield {
    say: `I read ${linesText(from, to)} of \`${path}\`.`,
    calls: [{ name: 'read', input: { path, offset: from, limit: to - from + 1 } }],
  };
  if (outcome === undefined) return failed('There was no answer to what I asked.');
  if (outcome.failed) {
    return failed(
      refusalText(`read \`${path}\``, outcome) ?? `I could not read \`${path}\`: ${outcome.text}`,
    );
  }
  const lines = numberedLines(outcome.text).map(({ text }) => text);
  if (lines.length === 0) return done(outcome.text.trim());
  const defined = definedNames(lines);
  const names =
    defined.length === 0 ? '' : `\n\n${from === to ? 'It defines' : 'They define'} ${defined.join(', ')}.`;
  return done(`${shownText(path, outcome.text)}${names}`);
}

/** Summarises a folder or a file from what the tools give: no more than a program can. */
export function* summaryJob(path: string | null): Job {
  const folder = path ?? '.';
  const [listing] = yield {
    say: `I look at ${path === null ? 'what is here' : `\`${path}\``}.`,
    calls: [{ name: 'read', input: { path: folder } }],
  };
  if (listing === undefined) return failed('There was no answer to what I asked.');
  if (listing.failed) {
    return failed(
      refusalText(`read \`${folder}\``, listing) ?? `I could not read \`${folder}\`: ${listing.text}`,
    );
  }
  const lines = textOf(listing);
  if (lines !== '') return done(fileSummary(folder, listing.text));
  // Neither lines nor entries: a picture, something binary, or nothing at all.
  if (folderEntries(listing.text).length === 0) return done(listing.text.trim());

  const direct = folderEntries(listing.text);
  const own = (name: string): string => (path === null ? name : `${path.replace(/\/$/, '')}/${name}`);
  const readme = direct.find((name) => readmeName.test(name));
  const manifest = manifests.find((name) => direct.includes(name));
  const wanted = [readme, manifest].flatMap((name) => (name === undefined ? [] : [own(name)]));
  const [found, ...read] = yield {
    say: wanted.length === 0 ? 'I list all files.' : `I list all files, and read ${quotedNames(wanted)}.`,
    calls: [
      { name: 'glob', input: { pattern: '**/*', ...(path === null ? {} : { path }) } },
      ...wanted.map((name) => ({ name: 'read', input: { path: name } })),
    ],
  };
  const paths = found === undefined || found.failed ? [] : pathLines(found.text);
  const parts = [kindsOfFiles(paths, direct, totalOf(found?.text ?? ''))];
  for (const [at, outcome] of read.entries()) {
    const name = wanted[at] ?? '';
    const refused = refusalText(`read \`${name}\``, outcome);
    if (refused !== null) parts.push(refused);
    else if (outcome.failed) parts.push(`\`${name}\` could not be read: ${outcome.text}`);
    else
      parts.push(
        readmeName.test(nameOf(name))
          ? readmeText(name, textOf(outcome))
          : manifestText(name, textOf(outcome)),
      );
  }
  return done(parts.filter((part) => part !== '').join('\n\n'));
}
