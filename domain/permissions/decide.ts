import type { HookVerdict } from '../../ports/hooks.ts';
import type { Mode } from '../../ports/mode.ts';
import type { RuleSource } from '../../ports/settings.ts';
import { isInside, relativeTo } from '../text/path-text.ts';
import { mayGoOnTo } from './bash/bash-match.ts';
import { isOnSafeList, shownWords } from './bash/safe-list.ts';
import { subjectText, type Facts, type PermissionCall } from './facts.ts';
import { guardReason } from './guard/guard.ts';
import { readDenied, readDeniedGlob, writeRefusal, type Place } from './path-policy.ts';
import { isRunLater } from './protected-files.ts';
import { matchingAllow, matchingDeny } from './rule-match.ts';
import { named, type Rule, type Rules } from './rules.ts';

/** What holds while a call is decided. `sandboxed`: the sandbox really runs. */
export interface Policy extends Place {
  mode: Mode;
  rules: Rules;
  sandboxed: boolean;
  /** The guard asks about acts that cannot be taken back. */
  guard: boolean;
  /** What hooks said of this call; absent: nothing. */
  hook?: Pick<HookVerdict, 'decision' | 'reason'>;
}

/** Number of the step of the ladder, or what stands beside it. */
type Step = number | 'guard' | 'ask-rule' | 'computed' | 'hook';

export interface Decision {
  decision: 'allow' | 'ask' | 'deny';
  /** `text`: why, for people and the model. */
  because: { step: Step; rule?: RuleSource; text: string };
}

/**
 * Whether a call may run (spec: permissions, "Decide", "Authorize"). What forbids it decides first, then
 * hooks, then the first step of the ladder that speaks; what these allow gets a second look.
 */
export function decide(call: PermissionCall, facts: Facts, policy: Policy): Decision {
  const forbidden = forbid(call, facts, policy);
  if (forbidden !== null) return forbidden;
  const hook = policy.hook?.decision;
  const said = policy.hook?.reason ?? '';
  const first =
    hook === 'allow'
      ? settle('allow', 'hook', said === '' ? 'a hook allows it' : `a hook allows it: ${said}`)
      : ladder(call, facts, policy);
  if (first.decision === 'deny') return first;
  const looked = secondLook(first, call, facts, policy);
  const { step } = looked.because;
  // What cannot be taken back, or not be known, is the graver reason to ask.
  if (hook !== 'ask' || step === 'guard' || step === 'computed') return looked;
  return settle('ask', 'hook', said === '' ? 'a hook asks about it' : `a hook asks: ${said}`);
}

/** Steps 1 and 2, and a hook's deny, which no mode and no other rule can lift. */
function forbid(call: PermissionCall, facts: Facts, policy: Policy): Decision | null {
  if (isFileWriting(call)) {
    const refusal = refusalOf(call, facts, policy);
    if (refusal !== null) return settle('deny', 1, refusal);
  }
  const { hook } = policy;
  if (hook?.decision === 'deny') {
    return settle(
      'deny',
      'hook',
      hook.reason === undefined ? 'a hook forbids it' : `a hook forbids it: ${hook.reason}`,
    );
  }
  const denied = matchingDeny(policy.rules.deny, call, facts, policy);
  if (denied === null) return null;
  return settle('deny', 2, `the deny rule ${named(denied.source)} forbids it`, denied);
}

function ladder(call: PermissionCall, facts: Facts, policy: Policy): Decision {
  const { tool } = call;
  const { mode, rules } = policy;

  if (mode === 'yolo') return settle('allow', 3, 'mode yolo allows what no deny rule forbids');

  if (tool.effect === 'read') return settle('allow', 4, `${tool.name} changes nothing`);

  if (tool.name === 'exit_plan_mode') {
    return mode === 'plan'
      ? settle('ask', 5, 'the answer approves the plan')
      : settle('allow', 5, 'outside plan mode it does nothing');
  }
  if (mode === 'plan' && tool.effect !== 'network') {
    return settle('deny', 5, 'plan mode changes nothing; present a plan with exit_plan_mode first');
  }

  const allowed = matchingAllow(rules.allow, call, facts, policy);
  if (allowed !== null)
    return settle('allow', 6, `the allow rule ${named(allowed.source)} covers it`, allowed);

  if (tool.name === 'bash' && policy.sandboxed && call.input['sandbox'] !== false) {
    return settle('allow', 7, 'it runs in the sandbox');
  }

  if (tool.name === 'bash' && isSafe(facts, policy)) {
    return settle('allow', 8, 'the command is on the safe list');
  }

  if ((mode === 'accept-edits' || mode === 'auto') && isFileWriting(call) && facts.path !== null) {
    const { path } = facts.path;
    if (isRunLater(relativeTo(path, policy.project) ?? path)) {
      return settle('ask', 10, `other programs run what is in ${path}`);
    }
    if (path !== policy.cwd && isInside(path, policy.cwd))
      return settle('allow', 9, `mode ${mode} allows edits in ${policy.cwd}`);
  }

  if (tool.name === 'bash' && policy.sandboxed) {
    return settle('ask', 10, 'it is to run outside the sandbox, and no rule and no mode covers that');
  }
  return settle('ask', 10, 'no rule and no mode covers it');
}

/**
 * What was allowed is asked all the same where it cannot be taken back, where it is not known what would
 * run, or where an `ask` rule names it; an `ask` rule then also asks what would be asked anyway, since no
 * allow rule can settle that (spec: permissions, "Second look").
 */
function secondLook(first: Decision, call: PermissionCall, facts: Facts, policy: Policy): Decision {
  const danger = policy.guard ? guardReason(facts, policy) : null;
  if (danger !== null) return settle('ask', 'guard', danger);
  if (isHidden(call, facts, policy)) {
    return settle(
      'ask',
      'computed',
      'which command it runs is not known beforehand, and a deny rule may name it',
    );
  }
  // A hook's allow stands above rules that ask.
  if (policy.mode === 'yolo' || first.because.step === 'hook') return first;
  const asked = matchingDeny(policy.rules.ask, call, facts, policy);
  return asked === null
    ? first
    : settle('ask', 'ask-rule', `the ask rule ${named(asked.source)} names it`, asked);
}

/** A command that could be any, where a pattern forbids some; in the sandbox that is no question. */
function isHidden(call: PermissionCall, { line }: Facts, { rules, sandboxed }: Policy): boolean {
  if (line === null || (sandboxed && call.input['sandbox'] !== false)) return false;
  return rules.deny.some(
    ({ tool, pattern }) => tool === 'bash' && pattern !== null && (line.computed || mayGoOnTo(pattern, line)),
  );
}

/** A tool that writes and whose subject is a path (spec: architecture, "Ports, in outline"). */
function isFileWriting({ tool }: PermissionCall): boolean {
  return tool.effect === 'write' && tool.subject?.kind === 'path';
}

function refusalOf(call: PermissionCall, facts: Facts, policy: Policy): string | null {
  const written = subjectText(call);
  if (written === '') return 'the path is empty';
  if (facts.path === null) return `${written} cannot be followed`;
  return writeRefusal(facts.path, policy);
}

function isSafe({ line, shown }: Facts, policy: Policy): boolean {
  if (line === null || !isOnSafeList(line)) return false;
  if (shownWords(line) === null) return true;
  if (shown === null || shown.globs.some((glob) => readDeniedGlob(glob, policy) !== null)) return false;
  return shown.paths.every((path) => {
    const { target, links } = path;
    const leads = target === null ? links.length === 0 : isInside(target, policy.project);
    return leads && isInside(path.path, policy.project) && readDenied(path, policy) === null;
  });
}

function settle(decision: Decision['decision'], step: Step, text: string, rule?: Rule): Decision {
  return { decision, because: { step, ...(rule === undefined ? {} : { rule: rule.source }), text } };
}
