import type { Block, Message } from '../../ports/message.ts';
import { estimateTokens } from '../budget.ts';
import { append } from '../conversation/conversation.ts';
import { note, withoutImages } from '../conversation/healing.ts';
import { cutForSummary, oldestLeftOut } from '../prompt/compaction.ts';
import { truncate } from '../text/cut.ts';

/** Bytes that stay of a long result, and of a long text. */
const resultKept = 1000;
const textKept = 4000;

/** A tool's result cut short, and without its images. */
function shortResult(block: Block): Block {
  if (block.type === 'image') return note(block);
  if (block.type !== 'tool_result') return block;
  return withoutImages({ ...block, content: truncate(block.content, resultKept, cutForSummary) });
}

/** A long text or the input of a call cut short; reasoning goes. */
function shortText(block: Block): Block {
  if (block.type === 'text') return { type: 'text', text: truncate(block.text, textKept, cutForSummary) };
  if (block.type === 'tool_use' && JSON.stringify(block.input ?? null).length > textKept) {
    const input = truncate(JSON.stringify(block.input), textKept, cutForSummary);
    return { type: 'tool_use', id: block.id, name: block.name, input: { shortened: input } };
  }
  return block;
}

/** Changes messages, the oldest first, until they hold at most `most` tokens. */
function changed(messages: readonly Message[], most: number, change: (block: Block) => Block): Message[] {
  const out = [...messages];
  let size = estimateTokens(out);
  for (const [at, message] of messages.entries()) {
    if (size <= most) break;
    const short = { ...message, blocks: message.blocks.map(change) };
    size += estimateTokens([short]) - estimateTokens([message]);
    out[at] = short;
  }
  return out;
}

/** The newest blocks of a message, as many as fit; the last one stays whatever its size. */
function newestBlocks(message: Message, most: number): Message {
  let size = 0;
  let from = message.blocks.length;
  for (const [at, block] of [...message.blocks.entries()].reverse()) {
    size += estimateTokens([{ ...message, blocks: [block] }]);
    if (size > most && from < message.blocks.length) break;
    from = at;
  }
  return from === 0 ? message : { ...message, blocks: message.blocks.slice(from) };
}

/**
 * Without the oldest messages, nor the oldest blocks of the last one where that alone is too much: prompts
 * that were answered with nothing but reasoning became one message. What is left is a valid conversation.
 */
function withoutOldest(messages: readonly Message[], most: number): Message[] {
  let size = estimateTokens(messages);
  let from = 0;
  while (size > most && from < messages.length - 1) {
    const message = messages[from];
    if (message !== undefined) size -= estimateTokens([message]);
    from += 1;
  }
  const rest = messages.slice(from);
  const kept = rest.length === 1 ? rest.map((message) => newestBlocks(message, most)) : rest;
  if (kept[0] === messages[0]) return kept;
  const head: Message = { role: 'user', blocks: [{ type: 'text', text: oldestLeftOut }] };
  return [head, ...kept].reduce<Message[]>((list, message) => append(list, message), []);
}

/**
 * A copy of a conversation of at most about `most` tokens, for a summary that must fit: reasoning goes,
 * then the oldest results are cut, then the oldest texts, then the oldest messages go, then the oldest
 * blocks of the last one. The newest are the last to be touched.
 */
export function shortened(messages: readonly Message[], most: number): Message[] {
  const plain = messages.map((message) => ({
    ...message,
    blocks: message.blocks.filter(({ type }) => type !== 'thinking' && type !== 'opaque'),
  }));
  const whole = plain.filter((message) => message.blocks.length > 0);
  const valid = whole.length === plain.length ? plain : whole.reduce<Message[]>(append, []);
  const results = changed(valid, most, shortResult);
  const texts = changed(results, most, shortText);
  return withoutOldest(texts, most);
}
