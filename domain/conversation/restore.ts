import type { Message } from '../../ports/message.ts';
import type { SessionEntry, StoredEntry } from '../../ports/session.ts';
import { contextTokens, noUsage, spend } from '../budget.ts';
import { compactFromAfter } from '../context/due.ts';
import type { AgentState } from '../scope.ts';
import { answerDangling, appendTo, interruptNotes } from './conversation.ts';
import { answersNow, filesRestored, resumedOn, toolsGone } from '../prompt/notes.ts';

/** Where a session stands, read back from its entries. */
export interface Restored extends Pick<
  AgentState,
  | 'messages'
  | 'context'
  | 'turn'
  | 'notes'
  | 'total'
  | 'costUsd'
  | 'pricedUsd'
  | 'toldMode'
  | 'used'
  | 'compactFrom'
> {
  /** What the session last used. */
  model: string | null;
  /** What the agent knows of files: path to hash. */
  seen: Record<string, string>;
}

/** Where every session begins. */
export function nothingSaid(): Restored {
  return {
    messages: [],
    context: null,
    turn: 0,
    notes: [],
    total: noUsage,
    costUsd: 0,
    pricedUsd: 0,
    toldMode: 'default',
    used: null,
    compactFrom: 0,
    model: null,
    seen: {},
  };
}

/** The purpose of a request whose answer said nothing. */
export const emptyAnswer = 'empty answer';

const known = new Set([
  'meta',
  'context',
  'message',
  'compaction',
  'turn',
  'permission',
  'undo',
  'usage',
  'title',
  'mode',
  'model',
]);

function isKnown(entry: StoredEntry['entry']): entry is SessionEntry {
  return known.has(entry.type);
}

type Entry<T extends SessionEntry['type']> = Extract<SessionEntry, { type: T }>;

/** A compaction that is written in part: it holds once its message is there. */
interface Compacting {
  context?: Entry<'context'>;
  compaction?: Entry<'compaction'>;
}

/**
 * The state that a session's entries lead to (spec: sessions). Total: entries of an unknown type are
 * passed over, a call that never got its result gets one that says so, and a compaction whose message
 * was not written any more did not happen.
 */
export function restore(entries: readonly StoredEntry[]): Restored {
  const state = nothingSaid();
  let compacting: Compacting = {};
  for (const { entry } of entries) {
    if (!isKnown(entry)) continue;
    if (entry.type === 'context' && entry.reason === 'compact') compacting = { context: entry };
    else if (entry.type === 'compaction') compacting = { ...compacting, compaction: entry };
    else {
      if (entry.type === 'message' && compacting.compaction !== undefined)
        startOver(state, compacting.compaction, compacting.context, entry.message);
      else apply(state, entry);
      compacting = {};
    }
  }
  state.messages = answerDangling(state.messages);
  return state;
}

/** After a compaction, what waits to be said still waits. */
function startOver(
  state: Restored,
  compaction: Entry<'compaction'>,
  context: Entry<'context'> | undefined,
  message: Message,
): void {
  if (context !== undefined) state.context = { system: context.system, tools: context.tools };
  state.messages = [];
  appendTo(state.messages, message);
  state.used = null;
  state.compactFrom = compactFromAfter(compaction.before_tokens, compaction.after_tokens);
}

function apply(state: Restored, entry: SessionEntry): void {
  switch (entry.type) {
    case 'meta':
      state.model = entry.model;
      state.toldMode = entry.mode;
      return;
    case 'context':
      state.context = { system: entry.system, tools: entry.tools };
      state.messages = [];
      state.used = null;
      state.compactFrom = 0;
      return;
    case 'message':
      appendTo(state.messages, entry.message);
      state.notes = [];
      Object.assign(state.seen, entry.seen);
      if (entry.usage === undefined) return;
      state.used = contextTokens(entry.usage);
      spend(state, entry.usage, entry.cost_usd ?? null);
      return;
    case 'usage':
      if (entry.purpose === emptyAnswer) state.used = contextTokens(entry.usage);
      spend(state, entry.usage, entry.cost_usd);
      return;
    case 'turn':
      state.turn = Math.max(state.turn, entry.n);
      if (entry.stop_reason === 'interrupted' || entry.stop_reason === 'timeout')
        state.notes.push(...interruptNotes(state.messages));
      return;
    case 'mode':
      state.toldMode = entry.mode;
      return;
    case 'model':
      state.model = entry.model;
      return;
    case 'undo':
      state.notes.push(filesRestored(entry.redo === true, entry.paths ?? []));
      return;
    case 'compaction':
    case 'permission':
    case 'title':
      return;
    default:
      entry satisfies never;
  }
}

/** What a recorded context says of the day and of who watches. */
function recordedFact(system: string, key: 'date' | 'interactive'): string | null {
  return new RegExp(`^${key}: (.*)$`, 'm').exec(system)?.[1] ?? null;
}

/** What has changed since the recorded context began, for the model (spec: agent-loop, "Tools"). */
export function resumeNotes(
  context: AgentState['context'],
  now: { date: string; interactive: boolean; tools: readonly string[] },
): string[] {
  if (context === null) return [];
  const notes: string[] = [];
  const date = recordedFact(context.system, 'date');
  if (date !== null && date !== now.date) notes.push(resumedOn(now.date));
  const interactive = recordedFact(context.system, 'interactive');
  if (interactive !== null && (interactive === 'yes') !== now.interactive)
    notes.push(answersNow(now.interactive));
  const gone = context.tools.map((tool) => tool.name).filter((name) => !now.tools.includes(name));
  if (gone.length > 0) notes.push(toolsGone(gone));
  return notes;
}
