import { oneLine, withoutOwnTags } from '../text/one-line.ts';

/** What larik says around a compaction (spec: prompting, "The other prompts"). The caller wraps it in notes. */

/** Asks for the summary. `focus` is what the user wants kept above all; empty for nothing special. */
export function summaryRequest(focus: string): string {
  const wish = focus.trim() === '' ? '' : ` The user wants this kept above all: ${oneLine(focus.trim())}`;
  return `Summarise this conversation, so that the work can go on from the summary alone: nothing else of it will be there. Call no tool. Write the summary inside \`<summary>\` and \`</summary>\`, in at most 2,000 words, with these sections:
- Task: what the user asked for, as close to their own words as possible, with every later correction and limit.
- Decisions: what was settled, and why.
- Files: each path that matters, what was read or changed there, and its state now.
- Failed: what was tried and did not work, with the error.
- Commands: those that work here, exactly as they were run.
- Open: what is still to be done.
- Next step: the one thing to do next, or none.

Give no new advice, and leave the instruction files out: they stay.${wish}`;
}

/** Before the summary. `transcript` is the session's file, or empty where none is kept. */
export function continues(transcript: string): string {
  const head =
    'This session goes on from an earlier part that was summarised to make room, so take the summary for what has happened until now.';
  return transcript === ''
    ? head
    : `${head} The full transcript is in \`${oneLine(transcript)}\`, one JSON object a line: search it when a detail is missing.`;
}

/** The summary itself; what it quotes of others cannot speak in larik's name. */
export function summaryText(summary: string): string {
  return `<summary>\n${withoutOwnTags(summary)}\n</summary>`;
}

/** How the note of the task list begins. */
export const openTodosHead = 'These items of the task list are still open:';

/** The task list's open items, for `todo_write` to go on from. */
export function openTodos(items: readonly { content: string; status: string }[]): string {
  return [
    openTodosHead,
    ...items.map(({ content, status }) => `- ${withoutOwnTags(oneLine(content))} (${status})`),
  ].join('\n');
}

/** In the middle of a turn. */
export const goOn =
  'The summary was made in the middle of your work, so go on where you left off without asking or repeating what is done.';

/** In place of a block that the provider refuses. */
export function leftOutBlock(what: string): string {
  return `[${what} stood here and is left out: the provider does not take it.]`;
}

/** In the middle of a text that is cut for the summary. */
export function cutForSummary(bytes: number): string {
  return `[… ${bytes} bytes are left out here …]`;
}

/** In place of the oldest messages, where even the summary would not fit. */
export const oldestLeftOut = 'The oldest part of the conversation is left out here, since it does not fit.';
