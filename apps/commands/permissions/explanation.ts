import type { Decision } from '../../../domain/permissions/decide.ts';
import { explainLine } from '../../../domain/permissions/explain-line.ts';
import type { Facts, PermissionCall } from '../../../domain/permissions/facts.ts';
import { showRefusal } from '../../../domain/permissions/path-policy.ts';
import type { Rules } from '../../../domain/permissions/rules.ts';
import { suggestRule } from '../../../domain/permissions/suggest-rule.ts';
import { oneLine } from '../../../domain/text/one-line.ts';

/** The steps of the ladder, in words (spec: permissions, "Decide"). */
const steps: Readonly<Record<number, string>> = {
  1: 'where no tool writes',
  2: 'deny rules',
  3: 'mode yolo',
  4: 'what only reads',
  5: 'plan mode',
  6: 'allow rules',
  7: 'the sandbox',
  8: 'the safe list',
  9: 'edits in the working directory',
  10: 'what nothing else settles',
};

const beside: Readonly<Record<string, string>> = {
  guard: 'the guard',
  'ask-rule': 'ask rules',
  computed: 'commands that are computed',
  hook: 'hooks',
};

/** Which part of the ladder decided, for people. */
export function stepName(step: Decision['because']['step']): string {
  return typeof step === 'number' ? `step ${step}, ${steps[step] ?? 'unknown'}` : (beside[step] ?? step);
}

/** Steps at which it matters which command of a line which rule knows. */
const byRules = new Set<Decision['because']['step']>([2, 6, 10]);

/** What is known of a call beside its decision. */
export interface Explained {
  call: PermissionCall;
  facts: Facts;
  decision: Decision;
  rules: Rules;
  /** Folders that no tool shows anything of. */
  hidden: readonly string[];
}

/** A decision with its step, and what rules say of each command of a line, in lines for people. */
export function explanation({ call, facts, decision, rules, hidden }: Explained): string[] {
  const { step, text } = decision.because;
  const lines = [`${decision.decision}: ${oneLine(text)} (${stepName(step)})`];
  if (facts.line !== null && byRules.has(step)) {
    const notes = explainLine(facts.line, rules).filter(({ kind }) => step !== 2 || kind === 'denied');
    for (const { command, text: note } of notes) {
      lines.push(`  ${command === null ? 'the line' : `\`${oneLine(command)}\``}: ${oneLine(note)}`);
    }
  }
  const kept = facts.path === null || call.tool.effect !== 'read' ? null : showRefusal(facts.path, hidden);
  if (kept !== null && decision.decision !== 'deny') lines.push(`but nothing is shown: ${oneLine(kept)}`);
  const suggested = decision.decision === 'ask' && step === 10 ? suggestRule(call, facts) : null;
  if (suggested !== null) lines.push(`this rule would allow it: ${oneLine(suggested)}`);
  return lines;
}
