import type { Message, Usage } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import type { ToolSpec } from '../ports/provider.ts';
import type { SessionEntry, StoredEntry } from '../ports/session.ts';
import { addUsage, noUsage } from './budget.ts';
import { answerDangling, append } from './conversation.ts';

/** Where a session stands, read back from its entries. */
export interface Restored {
  messages: Message[];
  context: { system: string; tools: ToolSpec[] } | null;
  turn: number;
  notes: string[];
  total: Usage;
  costUsd: number | null;
  toldMode: Mode;
  seen: Record<string, string>;
  /** As the session last had them. */
  model: string | null;
  mode: Mode | null;
}

const known = new Set(['meta', 'context', 'message', 'turn', 'permission', 'undo', 'title', 'mode', 'model']);

function isKnown(entry: StoredEntry['entry']): entry is SessionEntry {
  return known.has(entry.type);
}

/**
 * The state that a session's entries lead to (spec: sessions). Total: entries of an unknown type are
 * passed over, and a call that never got its result gets one that says so.
 */
export function restore(entries: readonly StoredEntry[]): Restored {
  const state: Restored = {
    messages: [],
    context: null,
    turn: 0,
    notes: [],
    total: noUsage,
    costUsd: 0,
    toldMode: 'default',
    seen: {},
    model: null,
    mode: null,
  };
  for (const { entry } of entries) if (isKnown(entry)) apply(state, entry);
  state.messages = answerDangling(state.messages);
  return state;
}

function apply(state: Restored, entry: SessionEntry): void {
  switch (entry.type) {
    case 'meta':
      state.model = entry.model;
      state.mode = entry.mode;
      state.toldMode = entry.mode;
      return;
    case 'context':
      state.context = { system: entry.system, tools: entry.tools };
      state.messages = [];
      return;
    case 'message':
      state.messages = append(state.messages, entry.message);
      Object.assign(state.seen, entry.seen);
      if (entry.usage === undefined) return;
      state.total = addUsage(state.total, entry.usage);
      state.costUsd =
        entry.cost_usd === undefined || state.costUsd === null ? null : state.costUsd + entry.cost_usd;
      return;
    case 'turn':
      state.turn = Math.max(state.turn, entry.n);
      return;
    case 'mode':
      state.mode = entry.mode;
      return;
    case 'model':
      state.model = entry.model;
      return;
    case 'permission':
    case 'undo':
    case 'title':
      return;
    default:
      entry satisfies never;
  }
}
