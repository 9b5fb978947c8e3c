import type { AgentEvent } from '../ports/event.ts';
import type { Block, Message, StopReason } from '../ports/message.ts';
import type { TurnEnd } from '../ports/session.ts';
import { budgetState } from './budget.ts';
import { append, callsOf, interruptNotes, systemNote, textOf } from './conversation/conversation.ts';
import { sawLoop } from './loop-guard.ts';
import { askModel } from './model-request.ts';
import { openTurn } from './open-turn.ts';
import { callWrittenAsText } from './prompt/notes.ts';
import type { Run } from './scope.ts';
import { writesCallAsText } from './conversation/text-call.ts';
import { toolRound } from './tool-round.ts';

/** How a turn ended, and in words where the name alone does not say it. */
export interface TurnOutcome {
  end: TurnEnd;
  reason?: string;
}

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
export async function* runTurn(
  run: Run,
  prompt: string,
  material: string,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const tally: Tally = { brokenCalls: 0, askedAgain: false, toldOfTextCall: false, toldOfBudget: false };
  yield* openTurn(run, prompt, material);
  for (let step = 1; ; step++) {
    yield* run.state.pending.splice(0);
    if (run.signal.aborted) return cutShort(run);
    yield* deliverSteering(run);
    const { model: ref, limits } = run.state.settings;
    if (step > limits.maxSteps) return { end: 'max_steps', reason: `${limits.maxSteps} steps were made` };
    if (yield* budgetReached(run, tally))
      return { end: 'budget', reason: `the budget of $${limits.budgetUsd} is used up` };

    const answer = yield* askModel(run, run.ports.models.resolve(ref));
    if (answer.kind === 'failed') {
      const { kind, message, facts } = answer.error;
      yield { type: 'error', kind, text: message, retryable: facts.retryable };
      return { end: 'error', reason: message };
    }
    const calls = callsOf(answer.message);
    if (answer.kind === 'interrupted') {
      if (calls.length > 0) yield* toolRound(run, answer.message, tally.brokenCalls);
      return cutShort(run);
    }
    if (answer.stopReason === 'refusal') return { end: 'refusal', reason: 'the model declined to answer' };
    if (calls.length > 0) {
      yield* toolRound(run, answer.message, tally.brokenCalls);
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

/** What an answer without calls means: mostly the end. */
async function* withoutCalls(
  run: Run,
  message: Message,
  stop: StopReason,
  tally: Tally,
): AsyncGenerator<AgentEvent, TurnOutcome | 'go on'> {
  if (stop === 'pause_turn') return 'go on';
  if (stop === 'max_tokens') return { end: 'max_tokens', reason: 'the answer reached the output limit' };
  if (stop === 'context_window') {
    const text = 'The conversation fills the context window of the model. Go on in a new session.';
    yield { type: 'error', kind: 'context_overflow', text, retryable: false };
    return { end: 'error', reason: text };
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
      text: 'The model answered with nothing, twice.',
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

const textCallCause =
  'The model wrote a tool call as text, so nothing was run. Usual causes: llama.cpp started without --jinja, ' +
  'vLLM without a tool parser, or a model that cannot call tools.';

async function addUserText(run: Run, block: Block): Promise<void> {
  const message: Message = { role: 'user', blocks: [block] };
  await run.ports.log.append({ type: 'message', message });
  run.state.messages = append(run.state.messages, message);
}

/** Puts what the user typed meanwhile behind the latest results. */
async function* deliverSteering(run: Run): AsyncGenerator<AgentEvent, void> {
  const { state } = run;
  const steering = state.queue.filter((item) => item.kind === 'steering');
  if (steering.length === 0) return;
  state.queue = state.queue.filter((item) => item.kind !== 'steering');
  for (const item of steering) await addUserText(run, { type: 'text', text: item.text });
  yield { type: 'queue', items: state.queue };
}

async function* budgetReached(run: Run, tally: Tally): AsyncGenerator<AgentEvent, boolean> {
  const state = budgetState(run.state.costUsd, run.state.settings.limits.budgetUsd);
  if (state === 'unknown' && !tally.toldOfBudget) {
    tally.toldOfBudget = true;
    const text =
      'The budget cannot be watched: the price of the model is not known. Set it under "models" in the settings.';
    yield { type: 'notice', level: 'warning', code: 'budget_unknown', text };
  }
  return state === 'reached';
}

function cutShort(run: Run): TurnOutcome {
  run.state.notes.push(...interruptNotes(run.state.messages));
  return run.signal.reason === 'timeout'
    ? { end: 'timeout', reason: 'the time limit was reached' }
    : { end: 'interrupted' };
}
