import { readdirSync, readFileSync } from 'node:fs';

interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
  text?: string;
}

interface Message {
  role: string;
  content: string | Block[];
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/**
 * What is wrong with a conversation as it was sent over Messages: roles alternate from the user on, and
 * every `tool_use` is answered once, in the next message, in order. Written without larik's own code.
 */
export function transcriptProblems(body: string): string[] {
  const { messages } = JSON.parse(body) as { messages: Message[] };
  const problems: string[] = [];
  messages.forEach((message, at) => {
    const expected = at % 2 === 0 ? 'user' : 'assistant';
    if (message.role !== expected) problems.push(`message ${at} is of the ${message.role}`);
    const blocks = blocksOf(message);
    if (blocks.length === 0) problems.push(`message ${at} is empty`);
    if (blocks.some((block) => block.type === 'text' && block.text === ''))
      problems.push(`message ${at} has an empty text`);
    const asked =
      at === 0 ? [] : blocksOf(messages[at - 1] as Message).filter(({ type }) => type === 'tool_use');
    const answered = blocks.filter(({ type }) => type === 'tool_result');
    const [ids, answers] = [asked.map(({ id }) => id), answered.map(({ tool_use_id: id }) => id)];
    if (JSON.stringify(ids) !== JSON.stringify(answers))
      problems.push(`message ${at} answers ${JSON.stringify(answers)}, not ${JSON.stringify(ids)}`);
  });
  if (messages.at(-1)?.role !== 'user') problems.push('the last message is not of the user');
  return problems;
}

/** The entries of a session file, and what is wrong with it: only the last line may be torn. */
export function readEntries(text: string): { entries: Record<string, unknown>[]; problems: string[] } {
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const entries: Record<string, unknown>[] = [];
  const problems: string[] = [];
  lines.forEach((line, at) => {
    try {
      entries.push(JSON.parse(line) as Record<string, unknown>);
    } catch {
      // What a kill cut off was ended by the next process.
      problems.push(`line ${at + 1} does not parse: ${line.slice(0, 80)}`);
    }
  });
  entries.forEach(({ parent_id: parent }, at) => {
    if (parent !== (entries[at - 1]?.['id'] ?? null))
      problems.push(`entry ${at} does not follow the one before`);
  });
  if (torn !== '' && entries.length === 0 && problems.length === 0) return { entries, problems: [] };
  return { entries, problems };
}

/** Processes whose environment holds this text; those that have ended and are not collected do not count. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text);
      } catch {
        return false; // ended meanwhile, or another user's
      }
    });
}
