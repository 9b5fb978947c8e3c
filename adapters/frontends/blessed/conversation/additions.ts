import { noBlocks } from './block-list.ts';
import type { Conversation, NoticeBlock, OutputBlock, ProblemBlock, PromptBlock } from './conversation.ts';
import { grownText, grownUp } from '../text/growing-text.ts';
import { openBlocks, withBlock, withChanged, type NewBlock } from './thread.ts';

/** Of a command's output, so many characters are kept while it runs: the last ones. */
const mostOutput = 200_000;

function grown(conversation: Conversation, block: NewBlock, open = false): Conversation {
  const next = withBlock(conversation, block, open);
  return conversation.anchor === null ? next : { ...next, newBelow: true };
}

/** What the user wrote, where no event tells it: steering as it is delivered. */
export function addPrompt(
  conversation: Conversation,
  prompt: Pick<PromptBlock, 'text' | 'images' | 'steering'>,
): Conversation {
  return grown(conversation, { type: 'prompt', ...prompt });
}

/** A notice of the screen's own. */
export function addNotice(
  conversation: Conversation,
  level: NoticeBlock['level'],
  text: string,
): Conversation {
  return grown(conversation, { type: 'notice', level, text, code: null });
}

/** What went wrong, and what to press next. */
export function addProblem(
  conversation: Conversation,
  problem: Pick<ProblemBlock, 'kind' | 'text' | 'next'>,
): Conversation {
  return grown(conversation, { type: 'problem', ...problem });
}

/** What a slash command says, or a command of the user's own that begins to run. */
export function addOutput(
  conversation: Conversation,
  output: Pick<OutputBlock, 'title' | 'text' | 'format' | 'state'>,
): Conversation {
  return grown(conversation, { type: 'output', ...output, ending: null }, output.state === 'running');
}

/** More of what the running command prints, or all of it and how it ended. */
export interface OutputChange {
  /** Comes behind what is there. */
  more?: string;
  /** Stands in place of what is there. */
  text?: string;
  state?: OutputBlock['state'];
  ending?: string;
}

/** The conversation as it was if no output runs. */
export function updateOutput(conversation: Conversation, change: OutputChange): Conversation {
  const running = openBlocks(conversation).findLast(({ block }) => block.type === 'output');
  if (running?.block.type !== 'output') return conversation;
  const { index, block } = running;
  const state = change.state ?? block.state;
  const grown =
    change.text === undefined ? grownText(block, change.more ?? '') : { ...block, text: change.text };
  const { text } = grown;
  const next: OutputBlock = {
    ...(state === 'running' && change.text === undefined ? grown : grownUp(grown)),
    text: change.text === undefined && text.length > 2 * mostOutput ? text.slice(-mostOutput) : text,
    state,
    ending: change.ending ?? block.ending,
  };
  const changed = withChanged(conversation, index, next, state === 'running');
  return conversation.anchor === null ? changed : { ...changed, newBelow: true };
}

/** Nothing said yet; how it is looked at stays. */
export function cleared(conversation: Conversation): Conversation {
  return { ...conversation, blocks: noBlocks, open: [], refusal: null, anchor: null, newBelow: false };
}
