import { errorText, isPortError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { ResolvedModel } from '../../ports/models.ts';
import type { ModelRequest, ProviderDone } from '../../ports/provider.ts';
import { budgetState } from '../budget.ts';
import { askAside } from '../context/summary-request.ts';
import { textOf } from '../conversation/conversation.ts';
import type { PermissionCall } from '../permissions/facts.ts';
import { autoCheckMessage, autoCheckSystem, readAutoCheck } from '../prompt/auto-check.ts';
import type { Run } from '../scope.ts';
import { oneLine } from '../text/one-line.ts';

/** Milliseconds that a check may take. */
const longestCheck = 20_000;

/** A call that is longer, in characters, is not checked: what is cut off could be what matters. */
const longestCall = 20_000;

/** Tokens of an answer, some of which a model may spend on reasoning. */
const longestAnswer = 4000;

/** Characters of a reason that are shown. */
const shown = 200;

/** What the check of mode auto says of a call. */
export interface AutoCheck {
  allow: boolean;
  /** Why, for the user, and for the session where it allows. */
  reason: string;
}

function clipped(text: string): string {
  const line = oneLine(text.trim());
  return line.length > shown ? `${line.slice(0, shown - 1)}…` : line;
}

const unjudged = (why: string): AutoCheck => ({
  allow: false,
  reason: `the check could not judge it: ${clipped(why)}`,
});

function requestFor(run: Run, model: ResolvedModel, message: string): ModelRequest {
  return {
    purpose: 'check',
    model: model.model,
    system: autoCheckSystem,
    tools: [],
    messages: [{ role: 'user', blocks: [{ type: 'text', text: message }] }],
    maxTokens: Math.min(model.info.maxOutput, longestAnswer),
    cacheKey: `${run.ports.log.id}-auto`,
  };
}

/** One request, given up when it takes too long or the run ends. `late`: it took too long. */
async function* askInTime(
  run: Run,
  ref: string,
  message: string,
): AsyncGenerator<AgentEvent, ProviderDone | Error | 'late'> {
  const request = (model: ResolvedModel) => requestFor(run, model, message);
  const ending = new AbortController();
  const answered = new AbortController();
  let isLate = false;
  const follow = (): void => ending.abort(run.signal.reason);
  run.signal.addEventListener('abort', follow, { once: true });
  if (run.signal.aborted) follow();
  const alarm = run.ports.clock.sleep(longestCheck, answered.signal).then(
    () => {
      isLate = true;
      ending.abort('late');
    },
    () => undefined, // it was answered in time
  );
  try {
    const answer = yield* askAside({ ...run, signal: ending.signal }, ref, request, 'auto');
    return isLate && answer instanceof Error ? 'late' : answer;
  } finally {
    answered.abort();
    run.signal.removeEventListener('abort', follow);
    await alarm;
  }
}

/**
 * In mode auto: has a model judge a call that would be asked about (spec: permissions, "Modes"). It sees
 * the call, the working directory and the latest prompts, nothing that a tool or a model wrote beside.
 * What it does not clearly allow is asked; so is what it cannot be asked about. What it took is counted.
 */
export async function* autoCheck(run: Run, call: PermissionCall): AsyncGenerator<AgentEvent, AutoCheck> {
  const { state, options } = run;
  const { settings, prompts } = state;
  if (budgetState(state, settings.limits.budgetUsd) === 'reached') return unjudged('the budget is used up');
  const message = autoCheckMessage(options.cwd, prompts, { tool: call.tool.name, input: call.input });
  if (JSON.stringify(call.input).length > longestCall) return unjudged('the call is too long');
  let answer: ProviderDone | Error | 'late';
  try {
    answer = yield* askInTime(run, settings.auto?.model ?? settings.model, message);
  } catch (error) {
    if (!isPortError(error, 'provider')) throw error;
    return unjudged(errorText(error));
  }
  if (answer === 'late') return unjudged(`it took longer than ${longestCheck / 1000} seconds`);
  if (answer instanceof Error) return unjudged(answer.message);
  const said = answer.stopReason === 'end_turn' ? readAutoCheck(textOf(answer.message)) : null;
  if (said === null) return unjudged('its answer was not one of allow and ask with a reason');
  const reason = clipped(said.reason);
  return { allow: said.allow, reason: said.allow ? reason : `the check says: ${reason}` };
}
