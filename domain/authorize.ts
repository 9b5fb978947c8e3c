import type { AgentEvent } from '../ports/event.ts';
import type { PermissionAnswer } from '../ports/frontend.ts';
import type { ToolUseBlock } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import type { SessionEntry } from '../ports/session.ts';
import type { Tool } from '../ports/tool.ts';
import { decide, type Decision } from './permissions/decide.ts';
import { gatherFacts } from './permissions/facts.ts';
import { parseRule } from './permissions/rules.ts';
import { suggestRule } from './permissions/suggest-rule.ts';
import {
  interrupted,
  nobodyThere,
  planForNobody,
  refusedByPolicy,
  refusedByUser,
} from './prompt/refusals.ts';
import type { Run } from './scope.ts';

/** A call whose tool is known and whose input is valid. */
export interface ParsedCall {
  block: ToolUseBlock;
  tool: Tool;
  input: Record<string, unknown>;
  /** The mode in which it was made: the approval of a plan changes it before the call runs. */
  mode: Mode;
}

type PermissionEntry = Extract<SessionEntry, { type: 'permission' }>;

async function record(run: Run, call: ParsedCall, entry: Omit<PermissionEntry, 'type' | 'tool_id'>) {
  await run.ports.log.append({ type: 'permission', tool_id: call.block.id, ...entry });
}

/** "Always": the rule holds from now on, for all calls that follow. Answers with what is wrong with it. */
function addRule({ state }: Run, text: string): string | null {
  const source = { text, origin: 'this session' };
  const rule = parseRule(source);
  if (typeof rule === 'string') return rule;
  const { settings, rules } = state;
  state.settings = { ...settings, rules: { ...settings.rules, allow: [...settings.rules.allow, source] } };
  state.rules = { ...rules, allow: [...rules.allow, rule] };
  return null;
}

const isSandboxed = async (run: Run): Promise<boolean> => (await run.ports.sandbox.describe()).works;

const isPlan = (call: ParsedCall): boolean =>
  call.tool.spec.name === 'exit_plan_mode' && call.mode === 'plan';

/** The mode to go on in: the approval of a plan ends plan mode. */
function modeAfter(run: Run, call: ParsedCall, answer: PermissionAnswer): Mode {
  return answer.mode ?? (isPlan(call) ? 'default' : run.state.settings.mode);
}

/** Puts the question to whoever watches, and waits for the answer or the end of the run. */
async function* ask(
  run: Run,
  call: ParsedCall,
  decision: Decision,
  suggested: string | null,
): AsyncGenerator<AgentEvent, string | null> {
  const requestId = `perm-${run.ports.ids.hex(8)}`;
  const waiting = run.questions.ask(requestId, run.signal);
  yield {
    type: 'permission_request',
    request_id: requestId,
    tool_id: call.block.id,
    tool_name: call.tool.spec.name,
    input: call.input,
    suggested_rule: suggested,
    cwd: run.options.cwd,
    sandboxed: call.tool.spec.name === 'bash' && (await isSandboxed(run)) && call.input['sandbox'] !== false,
    reason: decision.because.text,
  };
  const answer = await waiting;
  if (answer === null) {
    yield { type: 'permission_resolved', request_id: requestId, outcome: 'expired' };
    return interrupted;
  }
  if (!answer.allow) {
    await record(run, call, { request_id: requestId, decision: 'deny', by: 'user', reason: answer.reason });
    yield { type: 'permission_resolved', request_id: requestId, outcome: 'denied' };
    if (run.options.environment.interactive) return refusedByUser(answer.reason);
    return isPlan(call) ? planForNobody : nobodyThere(suggested);
  }
  const from = run.state.settings.mode;
  const mode = modeAfter(run, call, answer);
  run.state.settings = { ...run.state.settings, mode };
  const wanted = answer.always === true && suggested !== null ? (answer.rule ?? suggested) : null;
  const wrong = wanted === null ? null : addRule(run, wanted);
  const rule = wrong === null && wanted !== null ? wanted : undefined;
  await record(run, call, { request_id: requestId, decision: 'allow', by: 'user', rule });
  yield {
    type: 'permission_resolved',
    request_id: requestId,
    outcome: 'allowed',
    ...(rule === undefined ? {} : { rule, persisted: false }),
  };
  if (wrong !== null) {
    const text = `The rule \`${wanted}\` was not added: ${wrong}`;
    yield { type: 'notice', level: 'warning', code: 'rule', text };
  }
  if (mode !== from) yield { type: 'mode_changed', mode, from };
  return null;
}

/**
 * Decides whether a call may run: rules and mode first, then, where they leave it open, the user
 * (spec: permissions, "Authorize"). Calls are authorized one at a time, since asking is interactive.
 * Null: it may run. Otherwise what the model reads instead.
 */
export async function* authorize(run: Run, call: ParsedCall): AsyncGenerator<AgentEvent, string | null> {
  const { options, ports, state } = run;
  const asked = { tool: { ...call.tool, name: call.tool.spec.name }, input: call.input };
  const facts = await gatherFacts(asked, { files: ports.files, parser: ports.parser }, options);
  const sandboxed = await isSandboxed(run);
  const { mode, guard } = state.settings;
  const policy = { ...options, mode, guard, rules: state.rules, sandboxed };
  const decision = decide(asked, facts, policy);
  const rule = decision.because.rule?.text;
  const by = rule === undefined ? 'mode' : 'rule';
  switch (decision.decision) {
    case 'allow':
      // Of what only reads, the calls themselves are record enough.
      if (call.tool.effect !== 'read')
        await record(run, call, { request_id: '', decision: 'allow', by, rule });
      return null;
    case 'deny': {
      const { text: reason } = decision.because;
      await record(run, call, { request_id: '', decision: 'deny', by, rule, reason });
      const text = `${call.tool.spec.name} was refused: ${reason}`;
      yield { type: 'notice', level: 'warning', code: 'denied', text };
      return refusedByPolicy(reason);
    }
    case 'ask':
      // An ask rule stands above all allow rules: "always" would not keep it from asking again.
      return yield* ask(run, call, decision, decision.because.step === 10 ? suggestRule(asked, facts) : null);
    default:
      return decision.decision satisfies never;
  }
}
