import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { systemWords } from '../../../../domain/text/system-words.ts';
import type { StoredEntry } from '../../../../ports/session.ts';
import { sessionMarkdown } from '../../../commands/session-markdown.ts';
import { type Command, problem, told } from '../command.ts';

const notKept = 'this session is not kept, so it cannot be read back';

/** `/export`: the session as Markdown, in a new file. */
export const exportCommand: Command = {
  async run({ argument, session, program }) {
    if (session.path === null) return problem(notKept);
    const { entries } = await program.sessions.read(session.id);
    const file = resolve(program.folder.cwd, argument === '' ? `larik-${session.id}.md` : argument);
    try {
      // What stands there already is not ours to replace.
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(program.folder.secrets.redact(sessionMarkdown(session.id, entries)));
      } finally {
        await handle.close();
      }
    } catch (error) {
      return problem(`${oneLine(file)} cannot be written: ${systemWords(error)}`);
    }
    return told(`written to ${oneLine(file)}`);
  },
};

/** The text of the model's last answer, or null. */
function lastAnswer(entries: readonly StoredEntry[]): string | null {
  for (const { entry } of entries.toReversed()) {
    if (!('message' in entry) || entry.message.role !== 'assistant') continue;
    const texts = entry.message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    if (texts.join('').trim() !== '') return texts.join('\n\n');
  }
  return null;
}

/** `/copy`: the last answer, onto the clipboard. */
export const copy: Command = {
  async run({ session, program }) {
    if (session.path === null) return problem(notKept);
    const text = lastAnswer((await program.sessions.read(session.id)).entries);
    return text === null ? told('there is no answer yet') : { type: 'copied', text, what: 'the last answer' };
  },
};
