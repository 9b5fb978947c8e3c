import { done, failed, type Job } from './job.ts';
import { refusalText } from './refusal.ts';
import { counted, hits, isCut, pathLines, totalOf } from './result-text.ts';

const shownHits = 20;

const literally = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** Searches for a text as it is; in any case when it has no capitals. */
export function* findJob(text: string, path: string | null): Job {
  const [outcome] = yield {
    say: `I search for \`${text}\`.`,
    calls: [
      {
        name: 'grep',
        input: {
          pattern: literally(text),
          ...(path === null ? {} : { path }),
          ...(/\p{Lu}/u.test(text) ? {} : { ignore_case: true }),
        },
      },
    ],
  };
  if (outcome === undefined) return failed('There was no answer to my search.');
  if (outcome.failed) {
    return failed(refusalText(`search for \`${text}\``, outcome) ?? `The search failed: ${outcome.text}`);
  }
  const found = hits(outcome.text);
  const where = path === null ? 'here' : `in \`${path}\``;
  if (found.length === 0)
    return done(`\`${text}\` is not to be found ${where}. The search said: ${outcome.text.trim()}`);
  const files = new Set(found.map((hit) => hit.path));
  const lines = found
    .slice(0, shownHits)
    .map((hit) => `- ${hit.path}:${hit.line}: ${hit.text.trim().slice(0, 160)}`);
  const least = isCut(outcome.text) ? 'at least ' : '';
  const more =
    found.length > shownHits ? `\n… and ${least}${counted(found.length - shownHits, 'more line')}.` : '';
  const count = `${least}${counted(found.length, 'line')} in ${least}${counted(files.size, 'file')}`;
  return done(`\`${text}\` stands ${where} on ${count}:\n${lines.join('\n')}${more}`);
}

/** Looks for a file by its name. */
export function* findFileJob(name: string, path: string | null): Job {
  const pattern = name.includes('/') || name.startsWith('**') ? name : `**/${name}`;
  const [outcome] = yield {
    say: `I look for \`${name}\`.`,
    calls: [{ name: 'glob', input: { pattern, ...(path === null ? {} : { path }) } }],
  };
  if (outcome === undefined) return failed('There was no answer to my search.');
  if (outcome.failed) {
    return failed(refusalText(`look for \`${name}\``, outcome) ?? `The search failed: ${outcome.text}`);
  }
  const paths = pathLines(outcome.text);
  if (paths.length === 0)
    return done(`There is no \`${name}\` here. The search said: ${outcome.text.trim()}`);
  const lines = paths.slice(0, shownHits).map((one) => `- ${one}`);
  const total = totalOf(outcome.text) ?? paths.length;
  const more = total > lines.length ? `\n… and ${total - lines.length} more.` : '';
  const some = total > lines.length ? '; the newest of them' : '';
  const head = total === 1 ? 'It is here' : `${total} files are called so${some}`;
  return done(`${head}:\n${lines.join('\n')}${more}`);
}
