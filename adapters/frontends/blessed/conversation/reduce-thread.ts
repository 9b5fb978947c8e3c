import type { AgentEvent } from '../../../../ports/event.ts';
import type { AgentBlock, Block, CallBlock } from './conversation.ts';
import { grownText, grownUp } from '../text/growing-text.ts';
import { settledMessage } from './settled-message.ts';
import {
  lastBlock,
  newCall,
  openBlocks,
  openCall,
  withBlock,
  withChanged,
  type Growing,
  type Placed,
} from './thread.ts';
import { endBlock, nextAfterError } from './turn-problem.ts';

/** Of what a call prints while it runs, so many characters are kept: the last ones. */
const mostLive = 16_384;
/** Of the input of a call, so many characters are kept while it comes, and a piece more: the first ones. */
const mostWritten = 4_096;

type Event<K extends AgentEvent['type']> = Extract<AgentEvent, { type: K }>;

/** Thinking goes on until something else comes. */
function thoughtEnded<T extends Growing>(thread: T, now: number | null): T {
  const last = lastBlock(thread);
  if (last?.type !== 'thinking' || last.endedAt !== null || last.startedAt === null) return thread;
  return withChanged(thread, thread.blocks.length - 1, { ...grownUp(last), endedAt: now });
}

function moreText<T extends Growing>(thread: T, text: string, now: number | null): T {
  const last = lastBlock(thread);
  if (last?.type === 'answer' && last.streaming)
    return withChanged(thread, thread.blocks.length - 1, grownText(last, text));
  return withBlock(thoughtEnded(thread, now), { type: 'answer', text, streaming: true }, true);
}

function moreThinking<T extends Growing>(thread: T, text: string, now: number | null): T {
  const last = lastBlock(thread);
  if (last?.type === 'thinking' && last.endedAt === null && thread.open.includes(thread.blocks.length - 1))
    return withChanged(thread, thread.blocks.length - 1, grownText(last, text));
  return withBlock(thread, { type: 'thinking', text, startedAt: now, endedAt: null }, true);
}

/** The call changed by what an event says of it; one that nothing told of yet is added. */
function withCall<T extends Growing>(
  thread: T,
  of: { tool_id: string; tool_name: string },
  change: (call: Omit<CallBlock, 'id'>) => Partial<CallBlock>,
  open = true,
): T {
  const found = openCall(thread, ({ toolId }) => toolId === of.tool_id);
  if (found !== undefined) {
    const { index, block } = found;
    return withChanged(thread, index, { ...block, ...change(block) }, open);
  }
  const call = newCall(of.tool_id, of.tool_name);
  return withBlock(thread, { ...call, ...change(call) }, open);
}

function ended<T extends Growing>(thread: T, event: Event<'tool_end'>, now: number | null): T {
  const { refusal } = thread;
  const change = (call: Omit<CallBlock, 'id'>): Partial<CallBlock> => {
    const isDenied = refusal !== null || call.state === 'denied';
    return {
      tool: event.tool_name,
      state: isDenied ? 'denied' : event.is_error ? 'failed' : 'done',
      note: refusal ?? call.note,
      output: event.output,
      display: event.display ?? null,
      live: '',
      requestId: null,
      durationMs: event.duration_ms,
      agents: call.agents.map((agent) => stoppedAgent(agent, now)),
    };
  };
  return withCall({ ...thread, refusal: null }, event, change, false);
}

function resolved<T extends Growing>(thread: T, event: Event<'permission_resolved'>): T {
  const found = openCall(thread, ({ requestId }) => requestId === event.request_id);
  if (found === undefined) return thread;
  const { index, block } = found;
  const change: Partial<CallBlock> =
    event.outcome === 'denied' ? { state: 'denied', note: 'by you' } : { state: 'waiting' };
  return withChanged(thread, index, { ...block, ...change, requestId: null });
}

const taskStates = {
  completed: { level: 'info', word: 'is done' },
  failed: { level: 'error', word: 'failed' },
  stopped: { level: 'warning', word: 'was stopped' },
} as const;

function stoppedAgent(agent: AgentBlock, now: number | null): AgentBlock {
  return { ...stopped({ ...agent, nextId: 0 }, now), running: false };
}

/** The block as it is when its turn is over; null: it goes on all the same. */
function settledBlock(block: Block, now: number | null): Block | null {
  switch (block.type) {
    case 'answer':
      return { ...grownUp(block), streaming: false };
    case 'thinking':
      return { ...grownUp(block), endedAt: block.endedAt ?? (block.startedAt === null ? null : now) };
    case 'call':
      return {
        ...block,
        state: block.state === 'denied' ? 'denied' : 'stopped',
        durationMs: block.startedAt === null || now === null ? null : Math.max(0, now - block.startedAt),
        requestId: null,
        agents: block.agents.map((agent) => stoppedAgent(agent, now)),
      };
    default:
      return null;
  }
}

/** What did not come to its end by now is stopped; agents of their own and the user's commands go on. */
export function stopped<T extends Growing>(thread: T, now: number | null): T {
  const settle = (next: T, { index, block }: Placed): T => {
    const settled = settledBlock(block, now);
    return settled === null ? next : withChanged(next, index, settled, false);
  };
  const { nextId } = thread;
  return { ...openBlocks(thread).reduce(settle, thread), nextId };
}

function turnEnded<T extends Growing>(thread: T, event: Event<'done'>, now: number | null): T {
  const settled = stopped(thread, now);
  const end = endBlock(event);
  const last = lastBlock(settled);
  const isTold = event.stop_reason === 'error' && last?.type === 'problem' && last.text === event.reason;
  return end === null || isTold ? settled : withBlock(settled, end);
}

/** A prompt that was delivered from the queue and then began a turn stands there once. */
function begun<T extends Growing>(thread: T, { prompt }: Event<'turn_start'>): T {
  const last = lastBlock(thread);
  return last?.type === 'prompt' && last.steering && last.text === prompt
    ? thread
    : withBlock(thread, { type: 'prompt', text: prompt, images: 0, steering: false });
}

/** A refusal is told by the call that it is about, or if none follows, by itself. */
function withRefusalTold<T extends Growing>(thread: T): T {
  const { refusal: text } = thread;
  if (text === null) return thread;
  return withBlock({ ...thread, refusal: null }, { type: 'notice', level: 'warning', text, code: 'denied' });
}

/** A further try stands in the place of the one before. */
function noticed<T extends Growing>(thread: T, { level, text, code }: Event<'notice'>): T {
  const notice = { type: 'notice', level, text, code: code ?? null } as const;
  const last = lastBlock(thread);
  if (code !== 'retry' || last?.type !== 'notice' || last.code !== 'retry') return withBlock(thread, notice);
  return withChanged(thread, thread.blocks.length - 1, { ...last, ...notice }, false);
}

/**
 * What an event makes of the blocks of the agent that it is about. `now` is in milliseconds since 1970;
 * null: it happened in an earlier run, and nobody knows when.
 */
export function reduceThread<T extends Growing>(before: T, event: AgentEvent, now: number | null): T {
  const thread = event.type === 'tool_end' ? before : withRefusalTold(before);
  switch (event.type) {
    case 'turn_start':
      return begun(stopped(thread, now), event);
    case 'text_delta':
      return moreText(thread, event.text, now);
    case 'thinking_delta':
      return moreThinking(thread, event.text, now);
    case 'tool_call_delta': {
      const more = event.input_delta ?? '';
      return withCall(thoughtEnded(thread, now), event, ({ written }) =>
        written.length < mostWritten ? { written: written + more } : {},
      );
    }
    case 'assistant_message':
      return settledMessage(thoughtEnded(thread, now), event.message);
    case 'tool_start': {
      const { input, tool_name: tool } = event;
      return withCall(thread, event, () => ({ tool, input, state: 'running', startedAt: now }));
    }
    case 'tool_progress': {
      const found = openCall(thread, ({ toolId }) => toolId === event.tool_id);
      if (found === undefined) return thread;
      const live = found.block.live + event.text;
      const kept = live.length > 2 * mostLive ? live.slice(-mostLive) : live;
      return withChanged(thread, found.index, { ...found.block, live: kept });
    }
    case 'tool_end':
      return ended(thread, event, now);
    case 'permission_request': {
      const { input, request_id: requestId } = event;
      return withCall(thread, event, () => ({ input, state: 'asked', requestId }));
    }
    case 'permission_resolved':
      return resolved(thread, event);
    case 'notice':
      return event.code === 'denied' ? { ...thread, refusal: event.text } : noticed(thread, event);
    case 'error': {
      const { kind, text, retryable } = event;
      return withBlock(thread, { type: 'problem', kind, text, next: nextAfterError(kind, retryable) });
    }
    case 'compacted':
      return withBlock(thread, {
        type: 'compacted',
        summary: event.summary,
        beforeTokens: event.before_tokens,
        afterTokens: event.after_tokens,
      });
    case 'task_started': {
      const text = `In the background: ${event.label}`;
      return withBlock(thread, { type: 'notice', level: 'info', text, code: null });
    }
    case 'task_done': {
      const { level, word } = taskStates[event.status];
      return withBlock(thread, { type: 'notice', level, text: `${event.label} ${word}`, code: null });
    }
    case 'done':
      return turnEnded(thread, event, now);
    // The footer, the status line and the input show these.
    case 'usage':
    case 'queue':
    case 'mode_changed':
    case 'model_changed':
      return thread;
    default:
      return event satisfies never;
  }
}
