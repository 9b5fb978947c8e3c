import type { ForkRequest, SessionMeta, StoredEntry } from '../../ports/session.ts';

export interface Copying extends ForkRequest {
  /** The new session's id, and that of the one it is copied from. */
  child: string;
  source: string;
  /** Somebody is still writing the source. */
  running: boolean;
}

function startsTurn({ entry }: StoredEntry, n?: number): boolean {
  return (
    entry.type === 'turn' && 'phase' in entry && entry.phase === 'start' && (n === undefined || entry.n === n)
  );
}

/** How many entries a fork takes; -1: the turn that it is to end before is not there. */
function taken(entries: readonly StoredEntry[], { beforeTurn, running }: Copying): number {
  if (beforeTurn !== undefined) return entries.findIndex((entry) => startsTurn(entry, beforeTurn));
  const last = entries.findLastIndex(({ entry }) => entry.type === 'turn');
  const open = entries[last];
  // A turn that was cut short by a kill is kept as far as it came; one that goes on elsewhere is not.
  return running && open !== undefined && startsTurn(open) ? last : entries.length;
}

/** Usage is not copied (spec: sessions, "Branches"): what the source spent is not spent again. */
function withoutSpending({ entry }: StoredEntry): StoredEntry['entry'] {
  if (entry.type !== 'message' || !('message' in entry)) return entry;
  const { usage: _usage, cost_usd: _cost, ...kept } = entry;
  return kept;
}

/**
 * A session's entries as those of its fork (spec: sessions, "Branches"): the same ids, one behind the
 * other, without what was spent. Null if `beforeTurn` names no turn of the session.
 */
export function copiedEntries(entries: readonly StoredEntry[], copying: Copying): StoredEntry[] | null {
  const count = taken(entries, copying);
  const last = entries[count - 1];
  if (last === undefined) return null;
  let parent: string | null = null;
  const copies: StoredEntry[] = [];
  for (const one of entries.slice(0, count)) {
    if (one.entry.type === 'usage') continue;
    const entry =
      copies.length === 0 ? metaOf(one.entry as SessionMeta, last.id, copying) : withoutSpending(one);
    copies.push({ ...one, parent_id: parent, entry });
    parent = one.id;
  }
  return copies;
}

function metaOf(meta: SessionMeta, at: string, { child, source, larik }: Copying): SessionMeta {
  return { ...meta, larik, session: child, fork_of: source, fork_at: at };
}
