import type { AgentEvent } from '../../ports/event.ts';
import type { HookVerdict } from '../../ports/hooks.ts';
import { decide, type Decision } from '../permissions/decide.ts';
import { gatherFacts, type PermissionCall } from '../permissions/facts.ts';
import { suggestRule } from '../permissions/suggest-rule.ts';
import { interrupted, refusedByPolicy, rewriteInvalid, stoppedByHook } from '../prompt/refusals.ts';
import type { Run } from '../scope.ts';
import { askUser, isPlan } from './ask-user.ts';
import { autoCheck } from './auto-check.ts';
import { parseInput, type ParsedCall } from './parsed-call.ts';
import { recordDecision } from './record-decision.ts';

/**
 * What became of a call: it may run, with the input that it has now; or what the model reads instead.
 * `halt`: a hook ends the turn, and says why.
 */
export type Authorization = { call: ParsedCall } | { refusal: string; halt?: string };

/** The call with the input that a hook put in place of its own, or what is wrong with that. */
function rewritten(call: ParsedCall, { input }: HookVerdict): ParsedCall | string {
  if (input === undefined) return call;
  const parsed = parseInput(call.tool, input);
  return parsed.ok ? { ...call, input: parsed.input } : parsed.error;
}

function notice(code: string, text: string): AgentEvent {
  return { type: 'notice', level: 'warning', code, text };
}

/**
 * Decides whether a call may run: hooks, rules and mode first, then, where they leave it open, the user
 * (spec: permissions, "Authorize"). Calls are authorized one at a time, since asking is interactive.
 */
export async function* authorize(run: Run, call: ParsedCall): AsyncGenerator<AgentEvent, Authorization> {
  const { hooks } = run.ports;
  if (hooks === undefined) return yield* settle(run, call, {});
  const tool = call.tool.spec.name;
  const verdict = await hooks.before({ tool, input: call.input, callId: call.block.id }, run.signal);
  if (run.signal.aborted) return { refusal: interrupted };
  if (verdict.halt !== undefined) {
    const reason = verdict.halt;
    await recordDecision(run, call, { request_id: '', decision: 'deny', by: 'hook', reason });
    yield notice('denied', `${tool} was refused: a hook ends the turn: ${reason}`);
    return { refusal: stoppedByHook(reason), halt: reason };
  }
  // What a hook made of the input is decided like any other.
  const hooked = rewritten(call, verdict);
  if (typeof hooked !== 'string') return yield* settle(run, hooked, verdict);
  yield notice('denied', `${tool} was refused: a hook gave it an input that it does not take: ${hooked}`);
  return { refusal: rewriteInvalid(tool, hooked) };
}

/** Rules, the mode and the user decide, knowing what hooks say. */
async function* settle(
  run: Run,
  call: ParsedCall,
  hook: HookVerdict,
): AsyncGenerator<AgentEvent, Authorization> {
  const { options, ports, state } = run;
  const asked: PermissionCall = { tool: { ...call.tool, name: call.tool.spec.name }, input: call.input };
  const facts = await gatherFacts(asked, ports, options, run.signal);
  const sandboxed = (await ports.sandbox.describe()).works;
  // Each time anew: the mode and the rules may have changed since the call was made.
  const decided = (mode = state.settings.mode): Decision => {
    const { guard } = state.settings;
    return decide(asked, facts, { ...options, mode, guard, rules: state.rules, sandboxed, hook });
  };
  let decision = decided();
  let checked = '';
  if (isForCheck(run, decision)) {
    const check = yield* autoCheck(run, asked);
    if (run.signal.aborted) return { refusal: interrupted };
    decision = decided();
    if (isForCheck(run, decision)) {
      const { reason } = check;
      if (check.allow) {
        await recordDecision(run, call, { request_id: '', decision: 'allow', by: 'auto', reason });
        return { call };
      }
      checked = `; ${reason}`;
    }
  }
  const { step, rule: source, text: reason } = decision.because;
  const entry = { request_id: '', by: decidedBy(decision), rule: source?.text };
  switch (decision.decision) {
    case 'allow':
      // Of what only reads, the calls themselves are record enough.
      if (call.tool.effect !== 'read') await recordDecision(run, call, { ...entry, decision: 'allow' });
      if (step === 'hook' && isPlan(call)) yield* endPlanMode(run);
      return { call };
    case 'deny':
      await recordDecision(run, call, { ...entry, decision: 'deny', reason });
      yield notice('denied', `${asked.tool.name} was refused: ${reason}`);
      return { refusal: refusedByPolicy(reason) };
    case 'ask': {
      const refusal = yield* askUser(run, {
        call,
        asked,
        facts,
        reason: `${reason}${checked}`,
        // What stands above all allow rules would ask again, "always" or not.
        suggested: step === 10 ? suggestRule(asked, facts) : null,
        askedBy: typeof step === 'number' ? null : step,
        // It allows edits of files that no program runs, and nothing else.
        suggestedMode: decided('accept-edits').because.step === 9 ? 'accept-edits' : null,
        sandboxed: asked.tool.name === 'bash' && sandboxed && call.input['sandbox'] !== false,
      });
      return refusal === null ? { call } : { refusal };
    }
    default:
      return decision.decision satisfies never;
  }
}

/** Mode auto: a model is asked before the user is, unless something stands above all modes. */
function isForCheck({ state }: Run, { decision, because }: Decision): boolean {
  return state.settings.mode === 'auto' && decision === 'ask' && because.step === 10;
}

/** A hook approved the plan in the user's place. */
function* endPlanMode({ state }: Run): Generator<AgentEvent, void> {
  state.settings = { ...state.settings, mode: 'default' };
  yield { type: 'mode_changed', mode: 'default', from: 'plan' };
}

function decidedBy({ because }: Decision): 'hook' | 'rule' | 'mode' {
  if (because.step === 'hook') return 'hook';
  return because.rule === undefined ? 'mode' : 'rule';
}
