import { errorText, isPortError, PortError, type ProviderError } from '../ports/errors.ts';
import type { AgentEvent } from '../ports/event.ts';
import type { Message, StopReason, Usage } from '../ports/message.ts';
import type { ResolvedModel } from '../ports/models.ts';
import type { ModelRequest, ProviderDelta, ProviderDone, RequestPurpose } from '../ports/provider.ts';
import { addUsage, contextTokens, costOf, estimateUsage, spend } from './budget.ts';
import { append } from './conversation/conversation.ts';
import { healed, mostRepairs, repairsFor } from './conversation/healing.ts';
import { PartialAnswer } from './conversation/partial-answer.ts';
import { emptyAnswer } from './conversation/restore.ts';
import { sentTools } from './conversation/sent-tools.ts';
import { askInOrder, type Failed } from './fallback.ts';
import { unseenImages, withSentImages } from './images/sent-images.ts';
import type { Run } from './scope.ts';

/** How one model request ended; in each case what is worth keeping is recorded. */
export type Answer =
  | { kind: 'message'; message: Message; stopReason: StopReason }
  | { kind: 'interrupted'; message: Message }
  | Failed;

/** The request as sent: a copy, so that nothing that happens meanwhile reaches it. */
export function buildRequest(
  run: Run,
  model: ResolvedModel,
  messages: readonly Message[],
  purpose: RequestPurpose,
): ModelRequest {
  const { state } = run;
  const effort = state.settings.effort ?? (model.info.wantsEffort ? 'medium' : undefined);
  return {
    purpose,
    model: model.model,
    system: state.context?.system ?? '',
    tools: model.info.tools === false ? [] : sentTools(state.context?.tools ?? []),
    messages: withSentImages(healed(messages, state.repairs), model.info.images),
    maxTokens: model.info.maxOutput,
    ...(effort === undefined ? {} : { effort }),
    cacheKey: run.ports.log.id,
  };
}

export function asProviderError(error: unknown): ProviderError {
  if (isPortError(error, 'provider')) return error;
  return new PortError('provider', 'internal', errorText(error), { retryable: false });
}

/** Stores the model's message, in the session first, and counts what it cost. */
async function record(
  run: Run,
  message: Message,
  stop: string,
  spent?: { usage: Usage; cost: number | null },
) {
  const { state, ports } = run;
  if (message.blocks.length > 0) {
    await ports.log.append({
      type: 'message',
      message,
      ...(spent === undefined ? {} : { usage: spent.usage }),
      ...(stop === 'interrupted' ? { interrupted: true } : { stop_reason: stop }),
      ...(spent === undefined || spent.cost === null ? {} : { cost_usd: spent.cost }),
    });
    state.messages = append(state.messages, message);
  } else if (spent !== undefined) {
    await ports.log.append({
      type: 'usage',
      usage: spent.usage,
      cost_usd: spent.cost,
      purpose: emptyAnswer,
    });
  }
  if (spent !== undefined) count(run, spent.usage, spent.cost);
}

/** A whole answer, and what it took. */
export interface Received extends ProviderDone {
  /** As reported, or estimated where the server reports none. */
  usage: Usage;
  isEstimate: boolean;
  /** USD; null where the price is not known. */
  cost: number | null;
  /** As `monotonic` gives it: when it was asked, and when the first sign of an answer came. */
  begun: number;
  firstAt: number;
}

/**
 * Sends a request and takes in its answer; of each delta the event that `show` makes is yielded. Throws
 * what the provider throws, and `PortError<'provider'>` for an answer without an end.
 */
export async function* receive(
  run: Run,
  model: ResolvedModel,
  request: ModelRequest,
  show: (delta: ProviderDelta) => AgentEvent | null,
): AsyncGenerator<AgentEvent, Received> {
  const { clock } = run.ports;
  const begun = clock.monotonic();
  let firstAt: number | null = null;
  let done: ProviderDone | null = null;
  for await (const event of model.provider.stream(request, run.signal)) {
    if (event.kind === 'notice') {
      const { level, code, text } = event;
      yield { type: 'notice', level, code, text };
      continue;
    }
    firstAt ??= clock.monotonic();
    const shown = event.kind === 'done' ? null : show(event);
    if (event.kind === 'done') done = event;
    if (shown !== null) yield shown;
  }
  if (done === null) {
    throw new PortError('provider', 'stream_cut', `${model.info.ref} ended its answer without saying so`, {
      retryable: true,
    });
  }
  const usage = done.usage ?? estimateUsage(request, done.message);
  const cost = costOf(usage, model.info.prices);
  return { ...done, usage, isEstimate: done.usage === null, cost, begun, firstAt: firstAt ?? begun };
}

/** What a request used. */
export function usageEvent(run: Run, model: ResolvedModel, received: Received): AgentEvent {
  const { state, ports } = run;
  const { usage, begun, firstAt } = received;
  return {
    type: 'usage',
    model: model.info.ref,
    turn: state.spent,
    total: state.total,
    cost_usd: state.costUsd,
    context_tokens: contextTokens(usage),
    context_window: model.info.contextWindow,
    ttft_ms: Math.round(firstAt - begun),
    request_ms: Math.round(ports.clock.monotonic() - begun),
  };
}

/** Counts a request into the sums of session and turn. */
export function count(run: Run, usage: Usage, cost: number | null): void {
  spend(run.state, usage, cost);
  run.state.spent = addUsage(run.state.spent, usage);
}

/**
 * Leaves out of this session's requests what a provider has just refused of `messages`
 * (spec: agent-loop, "Healing"). The event tells it; null if nothing can be left out.
 */
export function heal(run: Run, error: ProviderError, messages: readonly Message[]): AgentEvent | null {
  const { repairs } = run.state;
  const found = repairsFor(error, messages, repairs);
  if (found === null) return null;
  for (const [block, instead] of found) repairs.set(block, instead);
  const text = `The provider refused a part of the conversation (${error.message}). It is sent without that part from now on; the session keeps it.`;
  return { type: 'notice', level: 'warning', code: 'healed', text };
}

/** Asks the session's model, or where it does not answer, its fallbacks. */
export function askModel(run: Run): AsyncGenerator<AgentEvent, Answer> {
  return askInOrder<Answer>(run, run.state.settings.model, (model) => askHealing(run, model));
}

/**
 * Asks a model. Where it refuses a part of the conversation that can be left out, it is asked again
 * without that part: servers name one at a time. Each time another part goes, so this ends.
 */
async function* askHealing(run: Run, model: ResolvedModel): AsyncGenerator<AgentEvent, Answer> {
  for (let repaired = 0; ; repaired += 1) {
    const answer = yield* askOnce(run, model);
    if (answer.kind !== 'failed' || answer.shown || repaired === mostRepairs) return answer;
    const healing = heal(run, answer.error, run.state.messages);
    if (healing === null) return answer;
    yield healing;
  }
}

/**
 * One request. Deltas are for display; the provider's final message is what is stored. When
 * the stream breaks or is interrupted after something was shown, that much is stored.
 */
async function* askOnce(run: Run, model: ResolvedModel): AsyncGenerator<AgentEvent, Answer> {
  const { ports, state, signal } = run;
  const unseen = unseenImages(state, model);
  if (unseen !== null) yield unseen;
  const partial = new PartialAnswer();
  let shown = false;
  let received: Received;
  try {
    const request = buildRequest(run, model, state.messages, 'turn');
    received = yield* receive(run, model, request, (delta) => {
      shown = true;
      return partial.add(delta);
    });
  } catch (thrown) {
    const message = partial.message(model.model, model.provider.name, () => `lk_${ports.ids.hex(16)}`);
    await record(run, message, 'interrupted');
    if (message.blocks.length > 0) yield { type: 'assistant_message', message };
    return signal.aborted
      ? { kind: 'interrupted', message }
      : { kind: 'failed', error: asProviderError(thrown), shown };
  }
  const { message, stopReason, usage, isEstimate } = received;
  state.used = isEstimate ? null : contextTokens(usage);
  await record(run, message, stopReason, received);
  if (message.blocks.length > 0) yield { type: 'assistant_message', message };
  yield usageEvent(run, model, received);
  return { kind: 'message', message, stopReason };
}
