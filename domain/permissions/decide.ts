import type { Mode } from '../../ports/mode.ts';
import type { RuleSource } from '../../ports/settings.ts';
import { isInside, relativeTo } from '../text/path-text.ts';
import { isOnSafeList, shownWords } from './bash/safe-list.ts';
import { subjectText, type Facts, type PermissionCall } from './facts.ts';
import { readDenied, readDeniedGlob, writeRefusal, type Place } from './path-policy.ts';
import { isRunLater } from './protected-files.ts';
import { matchingAllow, matchingDeny } from './rule-match.ts';
import { named, type Rule, type Rules } from './rules.ts';

/** What holds while a call is decided. `sandboxed`: the sandbox really runs. */
export interface Policy extends Place {
  mode: Mode;
  rules: Rules;
  sandboxed: boolean;
}

/** Number of the step of the ladder, or what stands beside it. */
type Step = number | 'guard' | 'ask-rule' | 'computed' | 'hook';

export interface Decision {
  decision: 'allow' | 'ask' | 'deny';
  /** `text`: why, for people and the model. */
  because: { step: Step; rule?: RuleSource; text: string };
}

/**
 * Whether a call may run (spec: permissions, "Decide"). The first step that speaks decides; what it
 * does not deny gets a second look.
 */
export function decide(call: PermissionCall, facts: Facts, policy: Policy): Decision {
  const first = ladder(call, facts, policy);
  return first.decision === 'deny' ? first : secondLook(first, call, facts, policy);
}

function ladder(call: PermissionCall, facts: Facts, policy: Policy): Decision {
  const { tool } = call;
  const { mode, rules } = policy;

  if (isFileWriting(call)) {
    const refusal = refusalOf(call, facts, policy);
    if (refusal !== null) return settle('deny', 1, refusal);
  }

  const denied = matchingDeny(rules.deny, call, facts, policy);
  if (denied !== null) return settle('deny', 2, `the deny rule ${named(denied.source)} forbids it`, denied);

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
    if (isInside(path, policy.cwd)) return settle('allow', 9, `mode ${mode} allows edits in ${policy.cwd}`);
  }

  return settle('ask', 10, 'no rule and no mode covers it');
}

/**
 * What the ladder allows is asked all the same when an `ask` rule names it, except in yolo; what it asks
 * is then asked by that rule, which no allow rule can settle.
 */
function secondLook(first: Decision, call: PermissionCall, facts: Facts, policy: Policy): Decision {
  if (policy.mode === 'yolo') return first;
  const asked = matchingDeny(policy.rules.ask, call, facts, policy);
  return asked === null
    ? first
    : settle('ask', 'ask-rule', `the ask rule ${named(asked.source)} names it`, asked);
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
