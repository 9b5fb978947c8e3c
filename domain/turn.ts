import { type ProviderError, toldText } from '../ports/errors.ts';
import type { AgentEvent } from '../ports/event.ts';
import type { Message, StopReason } from '../ports/message.ts';
import { budgetState, usd } from './budget.ts';
import { callsOf, interruptNotes, systemNote, textOf } from './conversation/conversation.ts';
import { compactIfDue, doesNotFit, makeRoom } from './context/compaction.ts';
import { isTooLarge } from './context/due.ts';
import { addUserText, deliverSteering } from './conversation/user-text.ts';
import { sawLoop } from './loop-guard.ts';
import { nextModel } from './fallback.ts';
import { learnModel } from './local-model.ts';
import { askModel } from './model-request.ts';
import { openTurn } from './open-turn.ts';
import { callWrittenAsText } from './prompt/notes.ts';
import type { Asked, Run, TurnOutcome } from './scope.ts';
import { writesCallAsText } from './conversation/text-call.ts';
import { toolRound } from './tool-round.ts';

/** What may happen once in a turn, and how often a call came broken. */
interface Tally {
  brokenCalls: number;
  askedAgain: boolean;
  toldOfTextCall: boolean;
  toldOfBudget: boolean;
}

/**
 * One prompt and all that follows until the agent stops (spec: agent-loop). THE loop: ask the model,
 * carry out its calls, hand back the results, ask again.
 */
export async function* runTurn(run: Run, asked: Asked): AsyncGenerator<AgentEvent, TurnOutcome> {
  const tally: Tally = { brokenCalls: 0, askedAgain: false, toldOfTextCall: false, toldOfBudget: false };
  yield* openTurn(run, asked);
  let known = run.state.settings.model;
  for (let steps = 0; ;) {
    yield* run.state.pending.splice(0);
    if (run.signal.aborted) return cutShort(run);
    const { limits, model } = run.state.settings;
    // Chosen in mid-turn: its window decides whether there is room.
    if (model !== known) yield* learnModel(run, nextModel(run).info.ref);
    known = model;
    if (steps >= limits.maxSteps) return { end: 'max_steps', reason: stepsMade(limits.maxSteps) };
    if (steps > 0) yield* compactIfDue(run, true);
    if (run.signal.aborted) return cutShort(run);
    if (yield* budgetReached(run, tally))
      return { end: 'budget', reason: `the budget of $${limits.budgetUsd} is used up` };
    yield* deliverSteering(run);

    const answer = yield* askModel(run);
    if (answer.kind === 'failed') {
      const { error, shown } = answer;
      if (shown || !isTooLarge(error)) return yield* failed(error);
      if (yield* makeRoom(run)) continue;
      return yield* failed(doesNotFit(run, error.message, error.kind));
    }
    steps += 1;
    yield* warnOfBudget(run);
    const calls = callsOf(answer.message);
    if (answer.kind === 'interrupted') {
      if (calls.length > 0) yield* toolRound(run, answer.message, tally.brokenCalls);
      return cutShort(run);
    }
    if (answer.stopReason === 'refusal') return { end: 'refusal', reason: 'the model declined to answer' };
    if (calls.length > 0) {
      const halt = yield* toolRound(run, answer.message, tally.brokenCalls);
      if (halt !== null) return { end: 'hook_stopped', reason: halt };
      tally.brokenCalls += calls.filter((call) => call.input === null).length;
      if (run.options.label !== undefined && sawLoop(run.state.messages)) {
        return { end: 'loop', reason: 'the same calls gave the same results again and again' };
      }
      continue;
    }
    const outcome = yield* withoutCalls(run, answer.message, answer.stopReason, tally);
    if (outcome !== 'go on') return outcome;
  }
}

const stepsMade = (steps: number): string => (steps === 1 ? '1 step was made' : `${steps} steps were made`);

async function* failed(error: ProviderError): AsyncGenerator<AgentEvent, TurnOutcome> {
  const text = toldText(error);
  yield { type: 'error', kind: error.kind, text, retryable: error.facts.retryable };
  return { end: 'error', reason: text };
}

/** What an answer without calls means: mostly the end. */
async function* withoutCalls(
  run: Run,
  message: Message,
  stop: StopReason,
  tally: Tally,
): AsyncGenerator<AgentEvent, TurnOutcome | 'go on'> {
  if (stop === 'pause_turn') return 'go on';
  if (stop === 'max_tokens') return { end: 'max_tokens', reason: 'the answer reached the output limit' };
  if (stop === 'context_window' || isSilentOverflow(run, message)) {
    if (yield* makeRoom(run)) return 'go on';
    const said = 'The conversation fills the context window of the model.';
    return yield* failed(doesNotFit(run, said, 'context_overflow'));
  }
  if (message.blocks.length === 0) {
    if (!tally.askedAgain) {
      tally.askedAgain = true;
      return 'go on';
    }
    yield {
      type: 'notice',
      level: 'warning',
      code: 'empty_answer',
      text: 'The model answered with nothing, twice. Ask again, or choose another model with --model.',
    };
    return { end: 'end_turn' };
  }
  if (!tally.toldOfTextCall && writesCallAsText(textOf(message), run.state.context?.tools ?? [])) {
    tally.toldOfTextCall = true;
    yield { type: 'notice', level: 'warning', code: 'text_call', text: textCallCause };
    await addUserText(run, systemNote(callWrittenAsText));
    return 'go on';
  }
  return run.state.queue.some((item) => item.kind === 'steering') ? 'go on' : { end: 'end_turn' };
}

/** From this share of the window on there was no room left for an answer. */
const noRoomShare = 0.9;

/** Some servers answer with nothing, and no error, where the conversation fills the window (spec: providers). */
function isSilentOverflow(run: Run, message: Message): boolean {
  const { used } = run.state;
  return (
    message.blocks.length === 0 && used !== null && used >= nextModel(run).info.contextWindow * noRoomShare
  );
}

const textCallCause =
  'The model wrote a tool call as text, so nothing was run. Usual causes: llama.cpp started without --jinja, ' +
  'vLLM without a tool parser, or a model that cannot call tools.';

async function* budgetReached(run: Run, tally: Tally): AsyncGenerator<AgentEvent, boolean> {
  const { costUsd, settings } = run.state;
  const { budgetUsd } = settings.limits;
  if (budgetState(run.state, budgetUsd) === 'reached') return true;
  const { ref, prices } = nextModel(run).info;
  // Told before the first request is paid for.
  if (budgetUsd !== null && (prices === null || costUsd === null) && !tally.toldOfBudget) {
    tally.toldOfBudget = true;
    const text =
      prices === null
        ? `The budget cannot be watched: the price of ${ref} is not known. Set it under "models" in the settings (larik help settings).`
        : 'The budget counts only a part of this session: the price of a model that was asked in it is not known.';
    yield { type: 'notice', level: 'warning', code: 'budget_unknown', text };
  }
  return false;
}

/** Says once in a session that most of its budget is spent. */
function* warnOfBudget({ state }: Run): Generator<AgentEvent, void> {
  const { pricedUsd, toldOfBudget, settings } = state;
  const { budgetUsd } = settings.limits;
  if (toldOfBudget || budgetUsd === null || budgetState(state, budgetUsd) !== 'near') return;
  state.toldOfBudget = true;
  const left = usd(budgetUsd - pricedUsd);
  const text = `This session has cost ${usd(pricedUsd)} of its budget of ${usd(budgetUsd)}; ${left} are left, then it stops. --budget or limits.budget_usd raises it.`;
  yield { type: 'notice', level: 'warning', code: 'budget_near', text };
}

/** The end of a turn that was interrupted, or whose time was up. */
export function cutShort(run: Run): TurnOutcome {
  run.state.notes.push(...interruptNotes(run.state.messages));
  return run.signal.reason === 'timeout'
    ? { end: 'timeout', reason: 'the time limit was reached' }
    : { end: 'interrupted' };
}
