import { PortError, type ProviderError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { Message } from '../../ports/message.ts';
import type { ResolvedModel } from '../../ports/models.ts';
import type { ProviderDone } from '../../ports/provider.ts';
import { costOf, estimateTokens, estimateUsage } from '../budget.ts';
import { append, systemNote } from '../conversation/conversation.ts';
import { asProviderError, buildRequest, count, heal, usageEvent } from '../model-request.ts';
import { summaryRequest } from '../prompt/compaction.ts';
import type { Run } from '../scope.ts';
import { summaryOf } from './continuation.ts';
import { shortened } from './shortened.ts';

/** A refusal of a request for its size, which a shorter one would not meet. A rate is no size. */
export function isTooLarge({ kind, message }: ProviderError): boolean {
  if (kind === 'request_too_large') return !/rate.?limit|per.?minute|\bTPM\b/i.test(message);
  return kind === 'context_overflow';
}

/** One request whose answer nobody is shown and that is no part of the conversation; it is counted. */
export async function* askAside(
  run: Run,
  model: ResolvedModel,
  messages: readonly Message[],
  purpose: 'compaction' | 'title',
): AsyncGenerator<AgentEvent, ProviderDone | ProviderError> {
  const { ports, signal } = run;
  const request = buildRequest(run, model, messages);
  const begun = ports.clock.monotonic();
  let firstAt: number | null = null;
  let done: ProviderDone | null = null;
  try {
    for await (const event of model.provider.stream(request, signal)) {
      firstAt ??= ports.clock.monotonic();
      if (event.kind === 'done') done = event;
    }
  } catch (error) {
    return asProviderError(error);
  }
  if (done === null) return failed('stream_cut', 'the answer ended before it was complete');
  const usage = done.usage ?? estimateUsage(request, done.message);
  const cost = costOf(usage, model.info.prices);
  await ports.log.append({ type: 'usage', usage, cost_usd: cost, purpose });
  count(run, usage, cost);
  yield usageEvent(run, model, usage, { begun, firstAt });
  return done;
}

function failed(kind: ProviderError['kind'], text: string): ProviderError {
  return new PortError('provider', kind, text, { retryable: false });
}

/** What an answer comes to: its summary, or why there is none. */
function outcome(answer: ProviderDone | ProviderError): string | ProviderError {
  if (!('stopReason' in answer)) return answer;
  const { message, stopReason } = answer;
  if (stopReason === 'refusal') return failed('content_blocked', 'the model declined to summarise it');
  const summary = summaryOf(message);
  if (summary !== null) return summary;
  if (stopReason === 'context_window') return failed('context_overflow', 'the summary did not fit');
  return failed('bad_generation', 'the model wrote no summary');
}

/**
 * Asks the session's model to summarise the conversation: the same request as ever with one more message,
 * so that a cache is hit. Where that is too large, a copy with its oldest parts cut is sent instead, and
 * what the provider refuses is left out; each once. `tooLarge`: the conversation was refused as too large
 * by now. When the signal aborts, the outcome is an error of no meaning.
 */
export async function* askForSummary(
  run: Run,
  model: ResolvedModel,
  { focus, tooLarge }: { focus: string; tooLarge: boolean },
): AsyncGenerator<AgentEvent, string | ProviderError> {
  const question: Message = { role: 'user', blocks: [systemNote(summaryRequest(focus))] };
  const size = estimateTokens(run.state.messages);
  const half = Math.floor(Math.min(size, model.info.contextWindow) / 2);
  let messages = tooLarge ? shortened(run.state.messages, half) : run.state.messages;
  let [cut, repaired] = [false, false];
  for (;;) {
    const got = outcome(yield* askAside(run, model, append(messages, question), 'compaction'));
    if (typeof got === 'string' || run.signal.aborted) return got;
    const healing = repaired ? null : heal(run, got, messages);
    if (healing !== null) {
      repaired = true;
      yield healing;
    } else if (isTooLarge(got) && !cut) {
      cut = true;
      messages = shortened(run.state.messages, tooLarge ? Math.floor(half / 3) : half);
    } else {
      return got;
    }
  }
}
