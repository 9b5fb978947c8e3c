import { oneLine } from '../../../../domain/text/one-line.ts';
import type { StoredEntry } from '../../../../ports/session.ts';
import { type Command, told } from '../command.ts';

const signs: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };

/** The list that the model last wrote, as Markdown; null where there is none. */
function lastTodos(entries: readonly StoredEntry[]): string | null {
  for (const { entry } of entries.toReversed()) {
    if (!('message' in entry)) continue;
    const call = entry.message.blocks.findLast(
      (block) => block.type === 'tool_use' && block.name === 'todo_write',
    );
    if (call?.type !== 'tool_use') continue;
    const { todos } = (call.input ?? {}) as { todos?: unknown };
    if (!Array.isArray(todos) || todos.length === 0) return null;
    return todos
      .map((todo: unknown) => {
        const { content, status } = (todo ?? {}) as { content?: unknown; status?: unknown };
        return `- ${signs[String(status)] ?? '[ ]'} ${oneLine(String(content))}`;
      })
      .join('\n');
  }
  return null;
}

/** `/todos`: what the model has noted to do. */
export const todos: Command = {
  async run({ session, program }) {
    if (session.path === null) return told('this session is not kept; the list stands in the conversation');
    const text = lastTodos((await program.sessions.read(session.id)).entries);
    return text === null ? told('the model has noted nothing') : { type: 'text', title: 'To do', text };
  },
};
