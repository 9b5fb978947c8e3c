import { decide, type Decision, type Policy } from '../../../domain/permissions/decide.ts';
import { explainLine, type LineNote } from '../../../domain/permissions/explain-line.ts';
import { subjectText, type Facts, type PermissionCall } from '../../../domain/permissions/facts.ts';
import { showRefusal } from '../../../domain/permissions/path-policy.ts';
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
  policy: Policy;
  /** Folders that no tool shows anything of. */
  hidden: readonly string[];
}

/** What rules say of the commands of a line, but for what the decision itself says already. */
function lineNotes({ call, facts, decision, policy }: Explained): LineNote[] {
  const { step, text } = decision.because;
  if (facts.line === null || !byRules.has(step)) return [];
  const notes = explainLine(facts.line, policy.rules).filter(({ kind }) => step !== 2 || kind === 'denied');
  const [only] = notes;
  const isSaid = notes.length === 1 && only?.text === text && only.command === subjectText(call).trim();
  return isSaid ? [] : notes;
}

/** What else would have it done, or who is asked first; for a question only. */
function ways({ call, facts, decision, policy }: Explained): string[] {
  const { step } = decision.because;
  if (decision.decision !== 'ask') return [];
  if (step === 'guard')
    return ['no rule and no mode lifts that; larik config set guard off switches the guard off'];
  if (step === 'computed')
    return ['no rule that allows lifts that; in the sandbox, which larik sandbox tells of, it would run'];
  if (step !== 10) return [];
  const edits = decide(call, facts, { ...policy, mode: 'accept-edits' });
  const suggested = suggestRule(call, facts);
  return [
    ...(policy.mode === 'auto' ? ['before you are asked, in mode auto, a model judges it'] : []),
    ...(edits.because.step === 9 ? ['--mode accept-edits would allow it'] : []),
    ...(suggested === null ? [] : [`this rule would allow it: ${oneLine(suggested)}`]),
  ];
}

/** A decision with its step, and what rules say of each command of a line, in lines for people. */
export function explanation(explained: Explained): string[] {
  const { call, facts, decision, hidden } = explained;
  const { step, text } = decision.because;
  const notes = lineNotes(explained).map(
    ({ command, text: note }) =>
      `  ${command === null ? 'the line' : `\`${oneLine(command)}\``}: ${oneLine(note)}`,
  );
  const kept = facts.path === null || call.tool.effect !== 'read' ? null : showRefusal(facts.path, hidden);
  const isKept = kept !== null && decision.decision !== 'deny';
  return [
    `${decision.decision}: ${oneLine(text)} (${stepName(step)})`,
    ...notes,
    ...(isKept ? [`but nothing is shown: ${oneLine(kept)}`] : []),
    ...ways(explained),
  ];
}
