import type { AgentEvent } from '../../ports/event.ts';
import type { PermissionAnswer } from '../../ports/frontend.ts';
import type { Mode } from '../../ports/mode.ts';
import type { Facts, PermissionCall } from '../permissions/facts.ts';
import {
  guardedForNobody,
  interrupted,
  nobodyThere,
  planForNobody,
  refusedByUser,
} from '../prompt/refusals.ts';
import type { Run } from '../scope.ts';
import { addRule } from './add-rule.ts';
import { mayChoose } from './mode-choice.ts';
import type { ParsedCall } from './parsed-call.ts';
import { recordDecision } from './record-decision.ts';

/** Hexadecimal digits of a request's id: too many to be guessed by who did not see the question. */
const idLength = 32;

/** What is asked about: the call as it will run, and what was found out about it. */
export interface Question {
  call: ParsedCall;
  asked: PermissionCall;
  facts: Facts;
  reason: string;
  /** The rule that "always" adds; null: it is not offered. */
  suggested: string | null;
  sandboxed: boolean;
  /** What stands above allow rules and asks; null: nothing. */
  askedBy: 'guard' | 'ask-rule' | 'computed' | 'hook' | null;
  /** The mode that would let it run; null: none in particular. */
  suggestedMode: Mode | null;
}

/** A plan that waits for approval. */
export const isPlan = ({ tool, mode }: ParsedCall): boolean =>
  tool.spec.name === 'exit_plan_mode' && mode === 'plan';

/** The mode to go on in: the approval of a plan ends plan mode. */
function modeAfter(run: Run, call: ParsedCall, answer: PermissionAnswer): Mode {
  const { settings } = run.state;
  if (answer.mode !== undefined && mayChoose(settings, answer.mode)) return answer.mode;
  return isPlan(call) ? 'default' : settings.mode;
}

/**
 * Puts the question to whoever watches, and waits for the answer or the end of the run. Null: the call
 * may run. Otherwise what the model reads instead.
 */
export async function* askUser(run: Run, question: Question): AsyncGenerator<AgentEvent, string | null> {
  const { call, asked, facts, suggested, askedBy, suggestedMode } = question;
  const requestId = `perm-${run.ports.ids.hex(idLength)}`;
  const waiting = run.questions.ask(requestId, run.signal);
  yield {
    type: 'permission_request',
    request_id: requestId,
    tool_id: call.block.id,
    tool_name: call.tool.spec.name,
    input: call.input,
    suggested_rule: suggested,
    cwd: run.options.cwd,
    sandboxed: question.sandboxed,
    reason: question.reason,
    ...(askedBy === null ? {} : { asked_by: askedBy }),
    ...(suggestedMode === null ? {} : { suggested_mode: suggestedMode }),
  };
  const answer = await waiting;
  if (answer === null) {
    yield { type: 'permission_resolved', request_id: requestId, outcome: 'expired' };
    return interrupted;
  }
  if (!answer.allow) {
    const { reason } = answer;
    await recordDecision(run, call, { request_id: requestId, decision: 'deny', by: 'user', reason });
    yield { type: 'permission_resolved', request_id: requestId, outcome: 'denied' };
    if (run.options.environment.interactive) return refusedByUser(reason);
    if (askedBy === 'guard') return guardedForNobody(question.reason);
    return isPlan(call) ? planForNobody : nobodyThere(suggested);
  }
  const from = run.state.settings.mode;
  const mode = modeAfter(run, call, answer);
  run.state.settings = { ...run.state.settings, mode };
  // "Always" counts only where it was offered.
  const added =
    answer.always === true && suggested !== null
      ? await addRule(run, answer.rule ?? suggested, asked, facts)
      : null;
  const rule = added?.rule ?? undefined;
  await recordDecision(run, call, { request_id: requestId, decision: 'allow', by: 'user', rule });
  yield {
    type: 'permission_resolved',
    request_id: requestId,
    outcome: 'allowed',
    ...(rule === undefined ? {} : { rule, persisted: added?.persisted === true }),
  };
  if (added !== null) yield* added.events;
  if (mode !== from) yield { type: 'mode_changed', mode, from };
  return null;
}
