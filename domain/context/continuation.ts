import type { Block, Message } from '../../ports/message.ts';
import type { Mode } from '../../ports/mode.ts';
import { callsOf, systemNote, textOf } from '../conversation/conversation.ts';
import { continues, goOn, openTodos, openTodosHead, summaryText } from '../prompt/compaction.ts';
import { planModeOn } from '../prompt/notes.ts';

/**
 * The summary in an answer, or null if there is none. Without the tags, or with the last one missing,
 * the text counts as a whole, unless the model wanted to work on instead.
 */
export function summaryOf(answer: Message): string | null {
  const text = textOf(answer);
  const tagged = /<summary>([\s\S]*)<\/summary>/.exec(text)?.[1]?.trim();
  if (tagged !== undefined && tagged !== '') return tagged;
  if (callsOf(answer).length > 0) return null;
  const whole = text.replaceAll(/<\/?summary>/g, '').trim();
  return whole === '' ? null : whole;
}

interface TodoItem {
  content: string;
  status: string;
}

function isItem(item: unknown): item is TodoItem {
  if (typeof item !== 'object' || item === null) return false;
  const { content, status } = item as Record<string, unknown>;
  return typeof content === 'string' && typeof status === 'string';
}

/** The items of a call's input; null if it has none. */
function itemsOf(input: unknown): TodoItem[] | null {
  if (typeof input !== 'object' || input === null || !('items' in input)) return null;
  const { items } = input;
  return Array.isArray(items) ? items.filter(isItem) : null;
}

/**
 * The note of what is open in the task list, or null: out of the latest `todo_write` that succeeded,
 * else as an earlier compaction carried it on.
 */
export function todosNote(messages: readonly Message[]): Block | null {
  for (let at = messages.length - 1; at >= 0; at--) {
    const results = messages[at + 1]?.blocks ?? [];
    const failed = new Set(results.flatMap((b) => (b.type === 'tool_result' && b.isError ? [b.id] : [])));
    for (const block of messages[at]?.blocks.toReversed() ?? []) {
      if (block.type !== 'tool_use' || block.name !== 'todo_write' || failed.has(block.id)) continue;
      const items = itemsOf(block.input);
      if (items === null) continue;
      const open = items.filter((item) => item.status !== 'completed');
      return open.length === 0 ? null : systemNote(openTodos(open));
    }
  }
  const begin = `<system-note>${openTodosHead}`;
  return messages[0]?.blocks.find((block) => block.type === 'text' && block.text.startsWith(begin)) ?? null;
}

/**
 * The one message that a compaction leaves: what happened, the summary, where the rest is, the open
 * task list, and in the middle of a turn that the work goes on (spec: agent-loop, "Compaction").
 */
export function continuation(facts: {
  summary: string;
  /** The session's file; empty where none is kept. */
  transcript: string;
  todos: Block | null;
  midTurn: boolean;
  mode: Mode;
}): Message {
  const blocks: Block[] = [
    systemNote(continues(facts.transcript)),
    { type: 'text', text: summaryText(facts.summary) },
  ];
  if (facts.todos !== null) blocks.push(facts.todos);
  if (facts.midTurn) {
    // A prompt brings the note of the mode along by itself.
    if (facts.mode === 'plan') blocks.push(systemNote(planModeOn));
    blocks.push(systemNote(goOn));
  }
  return { role: 'user', blocks };
}
