import type { Block, Message, ToolResultBlock, ToolUseBlock } from '../../ports/message.ts';
import { interruptedByUser } from '../prompt/notes.ts';
import { interrupted } from '../prompt/refusals.ts';

/** What stands in the result of a call that never gave one. */
export const noResult = 'Tool call was interrupted before it produced a result.';

/** The calls of a message, in order. */
export function callsOf(message: Message): ToolUseBlock[] {
  return message.blocks.filter((block) => block.type === 'tool_use');
}

/** The text of a message, its blocks joined by blank lines. */
export function textOf(message: Message): string {
  return message.blocks
    .flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
    .join('\n\n');
}

/** One result for each call, failing the ones that were not answered. Two calls may have one id. */
function answers(calls: readonly ToolUseBlock[], blocks: readonly Block[]): ToolResultBlock[] {
  const given = blocks.filter((block) => block.type === 'tool_result');
  return calls.map((call): ToolResultBlock => {
    const at = given.findIndex((result) => result.id === call.id);
    const [own] = at === -1 ? [] : given.splice(at, 1);
    return own ?? { type: 'tool_result', id: call.id, name: call.name, content: noResult, isError: true };
  });
}

/**
 * The conversation with one more message, still valid: roles alternate, starting with the user, and
 * each call is answered exactly once, in order, at the head of the user message behind it
 * (spec: agent-loop, I1 and I2). Neighbours of one role become one message; results that answer
 * nothing are left out; a message without blocks changes nothing.
 */
export function append(messages: readonly Message[], message: Message): Message[] {
  const more = [...messages];
  appendTo(more, message);
  return more;
}

/** `append` to a list that nobody else holds: long sessions are read back in linear time. */
export function appendTo(messages: Message[], message: Message): void {
  if (message.blocks.length === 0) return;
  const last = messages.at(-1);
  const joined = last?.role === message.role ? [...last.blocks, ...message.blocks] : message.blocks;
  if (last?.role === message.role) messages.pop();
  const before = messages.at(-1);
  if (message.role === 'assistant') {
    if (before !== undefined)
      messages.push({ ...(last?.role === 'assistant' ? last : message), blocks: joined });
    return;
  }
  const calls = before === undefined ? [] : callsOf(before);
  const results = answers(calls, joined);
  const rest = joined.filter((block) => block.type !== 'tool_result');
  if (results.length + rest.length > 0) messages.push({ role: 'user', blocks: [...results, ...rest] });
}

/** Answers the calls at the end of the conversation that have no result, as after a kill. */
export function answerDangling(messages: readonly Message[]): Message[] {
  const last = messages.at(-1);
  if (last === undefined || last.role === 'user') return [...messages];
  const calls = callsOf(last);
  if (calls.length === 0) return [...messages];
  return [...messages, { role: 'user', blocks: answers(calls, []) }];
}

/** What the next prompt must say of an interrupt: nothing if a result says it (spec: agent-loop, "Interrupts"). */
export function interruptNotes(messages: readonly Message[]): string[] {
  const results = messages.at(-1)?.blocks.filter((block) => block.type === 'tool_result') ?? [];
  return results.some(({ content }) => content.endsWith(interrupted)) ? [] : [interruptedByUser];
}

/** Something that larik says to the model, in the user's message (spec: agent-loop, "Notes"). */
export function systemNote(text: string): Block {
  return { type: 'text', text: `<system-note>${text}</system-note>` };
}
