import { jsonText } from '../../domain/text/json-text.ts';
import { cleanTerminalText } from '../../domain/text/terminal/terminal-text.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { isPortError } from '../../ports/errors.ts';
import type { Block, Message } from '../../ports/message.ts';
import type { SessionStore, SessionSummary, StoredEntry } from '../../ports/session.ts';
import { expected } from '../command-line/help.ts';
import { sessionErrorText } from '../session-errors.ts';
import { isUnused } from '../unused-session.ts';
import type { CommandOutput } from './command-output.ts';
import { sessionMarkdown } from './session-markdown.ts';

export interface SessionsArguments {
  action: string | undefined;
  operands: string[];
  json: boolean;
}

/** Characters of a tool's input or result that `show` prints. */
const longestLine = 300;

/**
 * `larik sessions list`, `show ID` and `export ID` (spec: cli, sessions). Returns the exit code: 0, 1 for
 * a session that cannot be read, 2 for bad usage.
 */
export async function sessionsCommand(
  args: SessionsArguments,
  store: SessionStore,
  io: CommandOutput,
): Promise<number> {
  const [id, ...more] = args.operands;
  try {
    if (args.action === 'list' && id === undefined) return await list(args.json, store, io);
    if (id !== undefined && more.length === 0) {
      if (args.action === 'show') return await show(id, args.json, store, io);
      if (args.action === 'export') return await exported(id, args.json, store, io);
    }
  } catch (error) {
    if (!isPortError(error, 'session')) throw error;
    io.stderr(`larik sessions: ${oneLine(sessionErrorText(error, 'command'))}\n`);
    return 1;
  }
  io.stderr(`${expected('sessions')}\n`);
  return 2;
}

const minute = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

async function list(json: boolean, store: SessionStore, io: CommandOutput): Promise<number> {
  const sessions = (await store.list()).filter((session) => !isUnused(session));
  if (json) printJson(sessions.map(row), io);
  else for (const one of sessions) io.stdout(`${one.id}  ${minute(one.changedAt)}  ${oneLine(one.title)}\n`);
  if (sessions.length === 0 && !json) io.stderr('No sessions in this project yet.\n');
  return 0;
}

function row(one: SessionSummary): object {
  const { id, path, cwd, model, title, bytes } = one;
  const time = (ms: number): string => new Date(ms).toISOString();
  return { id, title, model, cwd, started: time(one.startedAt), changed: time(one.changedAt), bytes, path };
}

function printJson(value: unknown, io: CommandOutput): void {
  io.stdout(`${jsonText(value)}\n`);
}

async function entriesOf(id: string, store: SessionStore, io: CommandOutput): Promise<StoredEntry[]> {
  const { entries, problems } = await store.read(id);
  for (const problem of problems) io.stderr(`larik sessions: ${oneLine(problem)}\n`);
  return entries;
}

const raw = ({ entry, ...head }: StoredEntry): object => ({ ...head, ...entry });

async function exported(prefix: string, json: boolean, store: SessionStore, io: CommandOutput) {
  const { id, title } = await store.find(prefix);
  const entries = await entriesOf(id, store, io);
  if (json) printJson(entries.map(raw), io);
  else io.stdout(sessionMarkdown(title === '' ? id : title, entries));
  return 0;
}

async function show(prefix: string, json: boolean, store: SessionStore, io: CommandOutput): Promise<number> {
  const { id } = await store.find(prefix);
  const entries = await entriesOf(id, store, io);
  if (json) {
    printJson(entries.map(raw), io);
    return 0;
  }
  for (const entry of entries) {
    const text = entryText(entry);
    if (text !== '') io.stdout(`${cleanTerminalText(text)}\n`);
  }
  return 0;
}

function entryText({ entry, time }: StoredEntry): string {
  if ('message' in entry) return messageText(entry.message);
  if ('session' in entry) {
    const from = entry.fork_of === undefined ? '' : `, a fork of ${entry.fork_of}`;
    return `${oneLine(`Session ${entry.session}${from}, ${time}, ${entry.model}, in ${entry.cwd}`)}\n`;
  }
  if (entry.type === 'context' && 'reason' in entry && entry.reason !== 'startup') {
    return `--- fresh context (${entry.reason}) ---\n`;
  }
  if (entry.type === 'undo' && 'turn' in entry) {
    return `--- turn ${entry.turn} was ${'redo' in entry ? 'redone' : 'undone'} ---\n`;
  }
  return '';
}

function messageText({ role, blocks }: Message): string {
  const parts = blocks.map((block) => blockText(block, role)).filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('\n')}\n`;
}

function short(text: string): string {
  const line = oneLine(text.slice(0, longestLine + 1));
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

function blockText(block: Block, role: Message['role']): string {
  switch (block.type) {
    case 'text':
      return role === 'user' ? block.text.replaceAll(/^/gm, '> ') : block.text;
    case 'tool_use':
      return `* ${oneLine(block.name)} ${short(JSON.stringify(block.input))}`;
    case 'tool_result':
      return `  ${block.isError === true ? 'error: ' : ''}${short(block.content)}`;
    case 'image':
      return `[image ${oneLine(block.mediaType)}]`;
    case 'thinking':
    case 'opaque':
      return '';
    default:
      return block satisfies never;
  }
}
