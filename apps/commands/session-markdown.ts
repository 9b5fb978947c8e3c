import type { Block, Message } from '../../ports/message.ts';
import type { StoredEntry } from '../../ports/session.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { cleanTerminalText } from '../../domain/text/terminal/terminal-text.ts';

/** Characters of a call's input or result; the session's file has the rest. */
const longest = 2000;

/** A code block whose fence is longer than any within. */
function fenced(text: string, language = ''): string {
  const clean = cleanTerminalText(text);
  const cut = clean.slice(0, longest);
  const rest = clean.length - cut.length;
  const runs = cut.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  const more = rest === 0 ? '' : `\n\n… ${rest} more characters`;
  return `${fence}${language}\n${cut.trimEnd()}\n${fence}${more}`;
}

function blockText(block: Block, role: Message['role']): string {
  switch (block.type) {
    case 'text':
      if (role === 'user' && block.text.startsWith('<system-note>')) return '';
      return cleanTerminalText(block.text).trim();
    case 'tool_use':
      return `**${oneLine(block.name)}**\n\n${fenced(JSON.stringify(block.input, null, 2), 'json')}`;
    case 'tool_result':
      return `${block.isError === true ? 'Error' : 'Result'} of ${oneLine(block.name)}:\n\n${fenced(block.content)}`;
    case 'image':
      return `[image ${oneLine(block.mediaType)}]`;
    case 'thinking':
    case 'opaque':
      return '';
    default:
      return block satisfies never;
  }
}

function messageText({ role, blocks }: Message): string[] {
  const parts = blocks.map((block) => blockText(block, role)).filter((part) => part !== '');
  if (role === 'assistant' || parts.length === 0) return parts;
  const prompted = blocks.some((block) => block.type === 'text' && blockText(block, role) !== '');
  return prompted ? ['## Prompt', ...parts] : parts;
}

function entryText({ entry }: StoredEntry): string[] {
  if ('message' in entry) return messageText(entry.message);
  if (entry.type === 'context' && 'reason' in entry && entry.reason === 'clear') {
    return ['---', 'A fresh context begins.'];
  }
  if (entry.type === 'compaction') return ['---', 'The conversation was summarised:'];
  if (entry.type === 'undo' && 'turn' in entry) {
    return [`> The file changes of turn ${entry.turn} were ${'redo' in entry ? 'brought back' : 'undone'}.`];
  }
  return [];
}

/**
 * A session as a readable transcript in Markdown: prompts, answers, calls with their results cut, undos.
 * It holds no control characters.
 */
export function sessionMarkdown(title: string, entries: readonly StoredEntry[]): string {
  const meta = entries[0];
  const about: string[] = [];
  if (meta !== undefined && 'session' in meta.entry) {
    const { session, model, cwd, fork_of } = meta.entry;
    const from = fork_of === undefined ? '' : `, a fork of ${fork_of}`;
    about.push(oneLine(`Session ${session}${from}, ${meta.time}, ${model}, in ${cwd}`));
  }
  return `${[`# ${oneLine(title)}`, ...about, ...entries.flatMap(entryText)].join('\n\n')}\n`;
}
