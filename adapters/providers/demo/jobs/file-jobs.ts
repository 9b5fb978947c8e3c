import type { Outcome } from '../current-turn.ts';
import { done, failed, type Job, type Report } from './job.ts';
import { refusalText } from './refusal.ts';
import { fenced, isCut, linesText, lineTotal, numberedLines, pathLines } from './result-text.ts';

const shownLines = 200;
/** Files that one prompt may change. */
const mostFiles = 20;

function cannot(what: string, outcome: Outcome | undefined): Report {
  if (outcome === undefined) return failed(`There was no answer when I was to ${what}.`);
  return failed(refusalText(what, outcome) ?? `I could not ${what}: ${outcome.text.trim()}`);
}

/** Shows a file, some of its lines, or a folder. */
export function* showJob(path: string, from?: number, to?: number): Job {
  const range =
    from === undefined ? {} : { offset: from, ...(to === undefined ? {} : { limit: to - from + 1 }) };
  const [outcome] = yield {
    say: `I read \`${path}\`.`,
    calls: [{ name: 'read', input: { path, ...range } }],
  };
  if (outcome === undefined || outcome.failed) return cannot(`read \`${path}\``, outcome);
  const lines = numberedLines(outcome.text);
  if (lines.length === 0) return done(`\`${path}\`:\n${fenced(outcome.text.trim())}`);
  return done(shownText(path, outcome.text));
}

/** The first lines in a result of `read`, and which of how many they are. */
export function shownText(path: string, result: string): string {
  const lines = numberedLines(result);
  const first = lines[0]?.number ?? 1;
  const shown = lines.slice(0, shownLines);
  const last = shown.at(-1)?.number ?? first;
  const total = lineTotal(result);
  const of = total === null || total === last ? '' : ` of ${total}`;
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const text = fenced(shown.map((line) => line.text).join('\n'), language);
  return `\`${path}\`, ${linesText(first, last)}${of}:\n${text}`;
}

/** Creates a file; one that exists is left alone. */
export function* createJob(path: string, content: string): Job {
  const [outcome] = yield {
    say: `I write \`${path}\`.`,
    calls: [{ name: 'write', input: { path, content } }],
  };
  if (outcome === undefined || outcome.failed) return cannot(`write \`${path}\``, outcome);
  return done(`\`${path}\` is written: ${outcome.text.trim().split('\n')[0]}`);
}

function edited(path: string, outcome: Outcome | undefined, all: boolean): Report {
  if (outcome !== undefined && !outcome.failed)
    return done(`\`${path}\`: ${outcome.text.trim().split('\n')[0]}`);
  const report = cannot(`change \`${path}\``, outcome);
  const several = !all && /replace_all/.test(outcome?.text ?? '');
  return several
    ? failed(`${report.text}\nSay “replace all … by … in ${path}” to change every place.`)
    : report;
}

/** Replaces a text: in one file, or in all that hold it. Each is read first, as the tools ask. */
export function* replaceJob(from: string, to: string, path: string | null, all: boolean): Job {
  let paths = path === null ? [] : [path];
  if (path === null) {
    const pattern = from.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
    const [found] = yield {
      say: `I look for files that hold \`${from}\`.`,
      calls: [{ name: 'grep', input: { pattern, mode: 'files_with_matches' } }],
    };
    if (found === undefined || found.failed) return cannot(`search for \`${from}\``, found);
    paths = pathLines(found.text);
    if (paths.length === 0) return failed(`No file here holds \`${from}\`, so nothing was changed.`);
    if (paths.length > mostFiles || (!all && paths.length > 1)) {
      const names = paths
        .slice(0, mostFiles)
        .map((one) => `- ${one}`)
        .join('\n');
      const how = paths.length > mostFiles ? 'Name the file.' : 'Name one, or say “everywhere”.';
      const count = isCut(found.text) ? `At least ${paths.length}` : String(paths.length);
      return failed(`${count} files hold \`${from}\`, so I changed none of them. ${how}\n${names}`);
    }
  }
  const read = yield {
    say: `I read ${paths.map((one) => `\`${one}\``).join(', ')} before I change it.`,
    calls: paths.map((one) => ({ name: 'read', input: { path: one } })),
  };
  const unread = paths.flatMap((one, at) =>
    read[at]?.failed === false ? [] : [cannot(`read \`${one}\``, read[at])],
  );
  const readable = paths.filter((_, at) => read[at]?.failed === false);
  if (readable.length === 0) return failed(unread.map(({ text }) => text).join('\n'));
  const edits = yield {
    say: `I replace \`${from}\` by \`${to}\`.`,
    calls: readable.map((one) => ({
      name: 'edit',
      input: { path: one, old_string: from, new_string: to, ...(all ? { replace_all: true } : {}) },
    })),
  };
  const reports = [...readable.map((one, at) => edited(one, edits[at], all)), ...unread];
  return { text: reports.map(({ text }) => text).join('\n'), ok: reports.every(({ ok }) => ok) };
}
