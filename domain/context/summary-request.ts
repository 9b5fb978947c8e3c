import { PortError, type ProviderError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { Message } from '../../ports/message.ts';
import type { ResolvedModel } from '../../ports/models.ts';
import type { ModelRequest, ProviderDone } from '../../ports/provider.ts';
import { estimateTokens } from '../budget.ts';
import { append, systemNote, textOf } from '../conversation/conversation.ts';
import { healed, mostRepairs } from '../conversation/healing.ts';
import { askInOrder, type Failed, nextModel } from '../fallback.ts';
import {
  asProviderError,
  buildRequest,
  count,
  heal,
  type Received,
  receive,
  usageEvent,
} from '../model-request.ts';
import { summaryRequest } from '../prompt/compaction.ts';
import type { Run } from '../scope.ts';
import { summaryOf } from './continuation.ts';
import { isTooLarge } from './due.ts';
import { shortened } from './shortened.ts';

interface Answered {
  kind: 'answered';
  model: ResolvedModel;
  received: Received;
}

/** One request whose answer nobody is shown and that is no part of the conversation; it is counted. Fallbacks are asked too. */
export async function* askAside(
  run: Run,
  ref: string,
  requestFor: (model: ResolvedModel) => ModelRequest,
  purpose: 'compaction' | 'title' | 'auto',
): AsyncGenerator<AgentEvent, ProviderDone | ProviderError> {
  const outcome = yield* askInOrder<Answered>(run, ref, async function* (model): AsyncGenerator<
    AgentEvent,
    Answered | Failed
  > {
    try {
      return { kind: 'answered', model, received: yield* receive(run, model, requestFor(model), () => null) };
    } catch (thrown) {
      return { kind: 'failed', error: asProviderError(thrown), shown: false };
    }
  });
  if (outcome.kind === 'failed') return outcome.error;
  const { model, received } = outcome;
  const { usage, cost } = received;
  await run.ports.log.append({ type: 'usage', usage, cost_usd: cost, purpose });
  count(run, usage, cost);
  yield usageEvent(run, model, received);
  return received;
}

function failed(kind: ProviderError['kind'], text: string): ProviderError {
  return new PortError('provider', kind, text, { retryable: false });
}

/** What an answer comes to: its summary, or why there is none. One that was cut off would lose the rest for good. */
function outcome(answer: ProviderDone | ProviderError): string | ProviderError {
  if (!('stopReason' in answer)) return answer;
  const { message, stopReason } = answer;
  if (stopReason === 'refusal') return failed('content_blocked', 'the model declined to summarise it');
  const summary = summaryOf(message);
  const isWhole = stopReason !== 'max_tokens' && stopReason !== 'context_window';
  if (summary !== null && (isWhole || textOf(message).includes('</summary>'))) return summary;
  if (stopReason === 'context_window') return failed('context_overflow', 'the summary did not fit');
  if (stopReason === 'max_tokens')
    return failed('bad_generation', 'the summary reached the output limit before its end');
  return failed('bad_generation', 'the model wrote no summary');
}

/**
 * Asks the session's model to summarise the conversation: the same request as ever with one more message,
 * so that a cache is hit. Where that is too large, a copy with its oldest parts cut is sent instead, once, and
 * what the provider refuses is left out. `tooLarge`: the conversation was refused as too large
 * by now. When the signal aborts, the outcome is an error of no meaning.
 */
export async function* askForSummary(
  run: Run,
  { focus, tooLarge }: { focus: string; tooLarge: boolean },
): AsyncGenerator<AgentEvent, string | ProviderError> {
  const question: Message = { role: 'user', blocks: [systemNote(summaryRequest(focus))] };
  const { state } = run;
  // Asked for when it is needed: a fallback may have a smaller window.
  const half = (): number =>
    Math.floor(Math.min(estimateTokens(state.messages), nextModel(run).info.contextWindow) / 2);
  // What a provider refused is left out of the copy too: its blocks are others than the conversation's.
  const cutTo = (most: number): Message[] => shortened(healed(state.messages, state.repairs), most);
  let messages = tooLarge ? cutTo(half()) : state.messages;
  let [cut, repaired] = [false, 0];
  for (;;) {
    const asked = append(messages, question);
    const request = (model: ResolvedModel) => buildRequest(run, model, asked, 'compaction');
    const got = outcome(yield* askAside(run, state.settings.model, request, 'compaction'));
    if (typeof got === 'string' || run.signal.aborted) return got;
    const healing = repaired < mostRepairs ? heal(run, got, messages) : null;
    if (healing !== null) {
      repaired += 1;
      yield healing;
    } else if (isTooLarge(got) && !cut) {
      cut = true;
      messages = cutTo(tooLarge ? Math.floor(half() / 3) : half());
    } else {
      return got;
    }
  }
}
