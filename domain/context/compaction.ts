import { PortError, type ProviderError, toldText } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import { budgetState, type ContextSize, estimateContext, noUsage } from '../budget.ts';
import { nextModel } from '../fallback.ts';
import type { Run, TurnOutcome } from '../scope.ts';
import { continuation, todosNote } from './continuation.ts';
import { compactFromAfter, freedLittle, isNearlyFull, shouldCompact, worthAgainFrom } from './due.ts';
import { freshContext } from './fresh-context.ts';
import { askForSummary } from './summary-request.ts';

/** What a compaction is for. */
interface CompactionOrder {
  /** Due by the size, after a refusal for the size, or asked for by the user. */
  because: 'due' | 'overflow' | 'asked';
  midTurn: boolean;
  /** What the user wants kept above all. */
  focus?: string;
}

type CompactionEnd =
  | { kind: 'compacted' }
  | { kind: 'interrupted' }
  | { kind: 'budget' }
  | { kind: 'failed'; error: ProviderError };

/** About what the next request holds, by part. */
function sizeOf(run: Run): ContextSize {
  const { context, messages } = run.state;
  return estimateContext(context ?? { system: '', tools: [] }, messages);
}

function tokensOf(run: Run): number {
  return run.state.used ?? sizeOf(run).all;
}

const number = (value: number): string => value.toLocaleString('en-US');

const fixedParts = ({ system, tools }: ContextSize): string =>
  `the system prompt (about ${number(system)}) and the tools (about ${number(tools)}) are fixed`;

/**
 * Replaces the conversation by its summary, in a fresh context (spec: agent-loop, "Compaction"). What is
 * not in the messages stays: queue, notes, what is known of files. If no summary comes about,
 * everything stays as it was.
 */
async function* compact(run: Run, order: CompactionOrder): AsyncGenerator<AgentEvent, CompactionEnd> {
  const { state, ports } = run;
  if (budgetState(state, state.settings.limits.budgetUsd) === 'reached') return { kind: 'budget' };
  if (order.because === 'overflow') state.roomMade = true;
  const before = tokensOf(run);
  const tooLarge = order.because === 'overflow';
  const summary = yield* askForSummary(run, { focus: order.focus ?? '', tooLarge });
  if (run.signal.aborted) return { kind: 'interrupted' };
  if (typeof summary !== 'string') {
    state.roomMade = true;
    state.compactFrom = worthAgainFrom(before);
    return { kind: 'failed', error: summary };
  }

  const message = continuation({
    summary,
    transcript: ports.log.path,
    todos: todosNote(state.messages),
    midTurn: order.midTurn,
    mode: state.settings.mode,
  });
  const context = yield* freshContext(run);
  const after = estimateContext(context, [message]);
  await ports.log.append({ type: 'context', reason: 'compact', ...context });
  await ports.log.append({ type: 'compaction', summary, before_tokens: before, after_tokens: after.all });
  await ports.log.append({ type: 'message', message });
  state.context = context;
  state.messages = [message];
  state.used = null;
  state.compactFrom = compactFromAfter(before, after.all);
  state.justCompacted = true;

  const saved = Math.max(0, before - after.all);
  yield { type: 'compacted', summary, before_tokens: before, after_tokens: after.all, saved_tokens: saved };
  if (freedLittle(before, after.all)) {
    const text = `Compaction freed only ${number(saved)} of ${number(before)} tokens: ${fixedParts(after)}.`;
    yield littleNotice(text);
  }
  return { kind: 'compacted' };
}

const littleNotice = (text: string): AgentEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'compaction_little',
  text,
});

/**
 * What the request after a compaction shows: the server may count more than was estimated. Where the
 * context is still nearly full, another compaction would bring no more.
 */
function* measure(run: Run, window: number): Generator<AgentEvent, void> {
  const { state } = run;
  if (!state.justCompacted || state.used === null) return;
  state.justCompacted = false;
  if (!isNearlyFull(state.used, window) || state.used < state.compactFrom) return;
  state.compactFrom = worthAgainFrom(state.used);
  yield littleNotice(
    `The conversation was compacted, and still fills ${number(state.used)} of ${number(window)} tokens: ${fixedParts(sizeOf(run))}.`,
  );
}

/** Compacts when the context is nearly full. A failure is told, and the turn goes on as it was. */
export async function* compactIfDue(run: Run, midTurn: boolean): AsyncGenerator<AgentEvent, void> {
  const { state } = run;
  if (state.context === null) return;
  const { contextWindow: window } = nextModel(run).info;
  yield* measure(run, window);
  const { length: messages } = state.messages;
  if (!shouldCompact({ used: tokensOf(run), window, messages, notBelow: state.compactFrom })) return;
  const end = yield* compact(run, { because: 'due', midTurn });
  if (end.kind === 'failed') yield compactionFailed(end.error);
}

/** An error's text as a sentence before others. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function compactionFailed({ message }: ProviderError): AgentEvent {
  const text = `The conversation could not be compacted: ${sentence(message)} It goes on as it was.`;
  return { type: 'notice', level: 'warning', code: 'compaction_failed', text };
}

/**
 * Makes room after a request was refused for its size, once in a turn. True: it may be sent again, or the
 * turn ends for another reason.
 */
export async function* makeRoom(run: Run): AsyncGenerator<AgentEvent, boolean> {
  if (run.state.roomMade) return false;
  const end = yield* compact(run, { because: 'overflow', midTurn: true });
  if (end.kind === 'failed') yield compactionFailed(end.error);
  return end.kind !== 'failed';
}

/** The error of a conversation that does not fit, and what of it no compaction can shorten. */
export function doesNotFit(run: Run, said: string, kind: ProviderError['kind']): ProviderError {
  const { ref, contextWindow } = nextModel(run).info;
  const size = sizeOf(run);
  const text = [
    said,
    `The request is about ${number(size.all)} tokens (window of ${ref}: ${number(contextWindow)}), of which ${fixedParts(size)}.`,
  ].join('\n');
  const remedy = 'Shorten the prompt or the instruction files, or choose a model with a larger window.';
  return new PortError('provider', kind, text, { retryable: false, remedy });
}

/** What `/compact` comes to. */
export async function* compactOnDemand(run: Run, focus: string): AsyncGenerator<AgentEvent, TurnOutcome> {
  run.state.spent = noUsage;
  yield* run.state.pending.splice(0);
  if (run.state.messages.length === 0) {
    yield {
      type: 'notice',
      level: 'info',
      code: 'compaction_empty',
      text: 'There is nothing to compact yet.',
    };
    return { end: 'end_turn' };
  }
  const end = yield* compact(run, { because: 'asked', midTurn: false, focus });
  switch (end.kind) {
    case 'compacted':
      return { end: 'end_turn' };
    case 'interrupted':
      return { end: 'interrupted' };
    case 'budget':
      return { end: 'budget', reason: 'the budget is used up' };
    case 'failed': {
      const { kind, message, facts } = end.error;
      const said = `The conversation could not be compacted: ${sentence(message)} It stays as it was.`;
      const text = toldText(new PortError('provider', kind, said, facts));
      yield { type: 'error', kind, text, retryable: facts.retryable };
      return { end: 'error', reason: text };
    }
    default:
      return end satisfies never;
  }
}
