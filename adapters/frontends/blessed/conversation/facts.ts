import type { AgentEvent } from '../../../../ports/event.ts';

/** One item of the task list. */
export interface Todo {
  text: string;
  state: 'pending' | 'in_progress' | 'completed';
}

const states: ReadonlySet<unknown> = new Set<Todo['state']>(['pending', 'in_progress', 'completed']);

/** `2/5`: so many of the list are done. */
export function doneOf(todos: readonly Todo[]): string {
  return `${todos.filter(({ state }) => state === 'completed').length}/${todos.length}`;
}

/** The fields of a call's input; none if it has no fields. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

/** The task list that a `todo_write` call's input holds; null if it holds none. Texts are as they came. */
export function todosIn(input: unknown): readonly Todo[] | null {
  const { items } = fieldsOf(input);
  if (!Array.isArray(items)) return null;
  return items.flatMap((item: unknown) => {
    const { content: text, status } = fieldsOf(item);
    return typeof text === 'string' && states.has(status) ? [{ text, state: status as Todo['state'] }] : [];
  });
}

/** The task list, where an event replaces it; null where it does not. */
export function todosOf(event: AgentEvent): readonly Todo[] | null {
  return event.type === 'tool_start' && event.tool_name === 'todo_write' ? todosIn(event.input) : null;
}

const changing: ReadonlySet<string> = new Set(['edit', 'multi_edit', 'write']);

/** Paths, as they came, of the files that a call which begins changes. */
export function changedFilesOf(event: AgentEvent): readonly string[] {
  if (event.type !== 'tool_start' || !changing.has(event.tool_name)) return [];
  const { path } = fieldsOf(event.input);
  return typeof path === 'string' ? [path] : [];
}

/** What a session's calls left behind. */
export interface CallFacts {
  todos: readonly Todo[];
  /** In order of their first change. */
  changedFiles: readonly string[];
}

/** What the calls of a session that is opened again left behind: those that did what they should. */
export function historyFacts(events: readonly AgentEvent[]): CallFacts {
  const inputs = new Map<string, unknown>();
  const changedFiles = new Set<string>();
  let todos: readonly Todo[] = [];
  for (const event of events) {
    if (event.type === 'assistant_message') {
      for (const block of event.message.blocks)
        if (block.type === 'tool_use') inputs.set(block.id, block.input);
    } else if (event.type === 'tool_end' && !event.is_error) {
      const { tool_id, tool_name } = event;
      const started: AgentEvent = { type: 'tool_start', tool_id, tool_name, input: inputs.get(tool_id) };
      todos = todosOf(started) ?? todos;
      for (const path of changedFilesOf(started)) changedFiles.add(path);
    }
  }
  return { todos, changedFiles: [...changedFiles] };
}
