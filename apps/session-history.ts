import { addUsage, noUsage, spend, type Spent } from '../domain/budget.ts';
import { noResult } from '../domain/conversation/conversation.ts';
import type { AgentEvent } from '../ports/event.ts';
import type { Block, Message, ToolResultBlock, ToolUseBlock, Usage } from '../ports/message.ts';
import { modes, type Mode } from '../ports/mode.ts';
import type { SessionEntry, StoredEntry, TurnEnd } from '../ports/session.ts';

type Entry<T extends SessionEntry['type']> = Extract<SessionEntry, { type: T }>;

const ends: readonly TurnEnd[] = [
  'end_turn',
  'max_tokens',
  'refusal',
  'max_steps',
  'budget',
  'timeout',
  'interrupted',
  'blocked',
  'hook_stopped',
  'loop',
  'error',
];

/** Where a turn stands: `asked` once its prompt was seen. */
interface OpenTurn {
  asked: boolean;
  usage: Usage;
}

/** A block of a stored message, if it is one that can be shown. */
function isShowable(block: unknown): block is Block {
  if (typeof block !== 'object' || block === null) return false;
  const fields = block as Record<string, unknown>;
  const isText = (name: string): boolean => typeof fields[name] === 'string';
  switch (fields['type']) {
    case 'text':
    case 'thinking':
      return isText('text');
    case 'tool_use':
      return isText('id') && isText('name');
    case 'tool_result':
      return isText('id') && isText('name') && isText('content');
    case 'image':
      return isText('mediaType') && isText('data');
    default:
      return false;
  }
}

/** The parts of a message that can be shown; null if it is none. */
function showable(message: unknown): Message | null {
  if (typeof message !== 'object' || message === null) return null;
  const { role, model, blocks } = message as Record<string, unknown>;
  if ((role !== 'user' && role !== 'assistant') || !Array.isArray(blocks)) return null;
  return { role, ...(typeof model === 'string' ? { model } : {}), blocks: blocks.filter(isShowable) };
}

function isUsage(usage: unknown): usage is Usage {
  if (typeof usage !== 'object' || usage === null) return false;
  const fields = usage as Record<string, unknown>;
  return ['input', 'output', 'cacheRead', 'cacheWrite'].every((name) => typeof fields[name] === 'number');
}

const isNote = (text: string): boolean => text.startsWith('<system-note>');

/** What was typed: it stands behind the notes and before what went along; null if nothing was. */
function typed({ blocks }: Message): string | null {
  const texts = blocks.flatMap((block) => (block.type === 'text' && !isNote(block.text) ? [block.text] : []));
  if (texts[0] !== undefined && !texts[0].startsWith('<mentioned ')) return texts[0];
  return blocks.some((block) => block.type === 'image') ? '' : null;
}

/** Reads a session's entries in order and gathers the events that they stand for. */
class History {
  events: AgentEvent[] = [];
  private mode: Mode = 'default';
  private model = '';
  private turn: OpenTurn | null = null;
  private calls: ToolUseBlock[] = [];
  private sums: Spent = { total: noUsage, costUsd: 0, pricedUsd: 0 };
  /** The message that comes next is what a compaction left. */
  private isCompacting = false;

  take({ id, entry }: StoredEntry): void {
    const known = entry as SessionEntry;
    switch (known.type) {
      case 'meta':
      case 'mode':
      case 'model':
        this.follow(known);
        return;
      case 'context':
        if (known.reason === 'clear') this.events = [];
        return;
      case 'message':
        this.message(id, known);
        return;
      case 'compaction':
        this.compaction(known);
        return;
      case 'turn':
        if (known.phase === 'start') this.begin();
        else if (this.turn !== null) this.end(ends.find((one) => one === known.stop_reason) ?? 'end_turn');
        return;
      case 'usage':
        this.spent(known.usage, known.cost_usd);
        return;
      case 'undo':
        this.notice(`${known.redo === true ? 'Redone' : 'Undone'}: what turn ${known.turn} did to files.`);
        return;
      default:
        return;
    }
  }

  /** What was on its way when the entries end. */
  finish(): void {
    this.answerCalls([]);
    if (this.turn !== null) this.breakOff();
  }

  private follow(entry: Entry<'meta' | 'mode' | 'model'>): void {
    if ('mode' in entry && modes.includes(entry.mode)) this.mode = entry.mode;
    if ('model' in entry && typeof entry.model === 'string') this.model = entry.model;
  }

  private begin(): void {
    if (this.turn !== null) this.breakOff();
    this.turn = { asked: false, usage: noUsage };
  }

  private end(stop: TurnEnd): void {
    this.answerCalls([]);
    const { asked, usage } = this.turn ?? { asked: false, usage: noUsage };
    this.turn = null;
    // A command of the user's own is a turn without a prompt.
    if (!asked) return;
    this.events.push({ type: 'done', stop_reason: stop, usage, cost_usd: this.sums.costUsd });
  }

  /** A turn whose process ended before it did. */
  private breakOff(): void {
    if (this.turn?.asked === true)
      this.notice('The program ended in the middle of this turn.', 'warning', 'cut_off');
    this.end('interrupted');
  }

  private notice(text: string, level: 'info' | 'warning' = 'info', code?: string): void {
    this.events.push({ type: 'notice', level, text, ...(code === undefined ? {} : { code }) });
  }

  private spent(usage: unknown, cost: unknown): void {
    if (!isUsage(usage)) return;
    spend(this.sums, usage, typeof cost === 'number' ? cost : null);
    if (this.turn !== null) this.turn.usage = addUsage(this.turn.usage, usage);
  }

  private compaction({ summary, before_tokens, after_tokens }: Entry<'compaction'>): void {
    if (typeof summary !== 'string') return;
    if (typeof before_tokens !== 'number' || typeof after_tokens !== 'number') return;
    this.isCompacting = true;
    const saved_tokens = Math.max(0, before_tokens - after_tokens);
    this.events.push({ type: 'compacted', summary, before_tokens, after_tokens, saved_tokens });
  }

  private message(id: string, entry: Entry<'message'>): void {
    const message = showable(entry.message);
    const isSummary = this.isCompacting;
    this.isCompacting = false;
    this.spent(entry.usage, entry.cost_usd);
    if (message === null || isSummary) return;
    if (message.role === 'assistant') this.answer(message);
    else this.said(id, message);
  }

  private answer(message: Message): void {
    this.answerCalls([]);
    this.events.push({ type: 'assistant_message', message });
    this.calls = message.blocks.filter((block) => block.type === 'tool_use');
  }

  private said(id: string, message: Message): void {
    this.answerCalls(message.blocks.filter((block) => block.type === 'tool_result'));
    const text = typed(message);
    if (text === null) return;
    if (this.turn === null || !this.turn.asked) {
      this.turn = { asked: true, usage: this.turn?.usage ?? noUsage };
      this.events.push({ type: 'turn_start', prompt: text, mode: this.mode, model: this.model });
      return;
    }
    // Typed in mid-turn: it waited, and then went along with results.
    this.events.push(
      { type: 'queue', items: [{ id, text, kind: 'steering' }] },
      { type: 'queue', items: [] },
    );
  }

  /** Each call with its result, in order; one without a result was cut off. Two calls may have one id. */
  private answerCalls(results: readonly ToolResultBlock[]): void {
    const open = [...results];
    for (const { id, name, input } of this.calls) {
      const at = open.findIndex((result) => result.id === id);
      const [result] = at === -1 ? [] : open.splice(at, 1);
      this.events.push(
        { type: 'tool_start', tool_id: id, tool_name: name, input },
        {
          type: 'tool_end',
          tool_id: id,
          tool_name: name,
          output: result?.content ?? noResult,
          is_error: result === undefined || result.isError === true,
          duration_ms: 0,
        },
      );
    }
    this.calls = [];
  }
}

/**
 * What was said in a session's current conversation, as the events that told it while it was said, so that
 * a front end shows both by one way. Deltas, questions and what tools showed beside their output are not
 * kept, nor is how long they took (0). Total: what is unknown or malformed is passed over.
 */
export function eventsOf(entries: readonly StoredEntry[]): AgentEvent[] {
  const history = new History();
  for (const entry of entries) {
    if (typeof entry.entry === 'object' && entry.entry !== null) history.take(entry);
  }
  history.finish();
  return history.events;
}
