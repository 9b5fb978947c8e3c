import { oneLine } from '../../../../domain/text/one-line.ts';
import { isPlan, type PermissionRequest, type Question } from './question.ts';
import type { Tone } from '../text/line.ts';

/** One thing about a question, in words, made visible. */
export interface Fact {
  label: 'runs' | 'in' | 'why' | 'always';
  text: string;
  tone: Tone;
}

const notOffered: Record<NonNullable<PermissionRequest['asked_by']>, string> = {
  guard: 'not offered: the guard asks each time',
  'ask-rule': 'not offered: the ask rule asks each time',
  computed: 'not offered: what it runs is not known beforehand',
  hook: 'not offered: the hook asks each time',
};

function whereItRuns({ tool_name, sandboxed }: PermissionRequest, network: boolean | undefined): Fact {
  if (sandboxed) {
    const reach = network === undefined ? '' : network ? ', with network' : ', no network';
    return { label: 'runs', text: `in the sandbox${reach}`, tone: 'text' };
  }
  return tool_name === 'bash'
    ? { label: 'runs', text: 'OUTSIDE the sandbox', tone: 'warning' }
    : { label: 'runs', text: 'not in the sandbox', tone: 'muted' };
}

/**
 * Where it runs and why it asks, the most important first. A plan says it all by itself. `network`:
 * commands in the sandbox reach it; undefined: not known.
 */
export function factsOf(question: Question, network: boolean | undefined): Fact[] {
  const { request } = question;
  const { asked_by: by, suggested_rule: rule } = request;
  const why: Fact = { label: 'why', text: oneLine(request.reason), tone: 'text' };
  if (isPlan(question)) return by === undefined ? [] : [why];
  const always =
    rule !== null ? oneLine(rule) : by === undefined ? 'not offered: no rule fits this call' : notOffered[by];
  return [
    whereItRuns(request, network),
    { label: 'always', text: always, tone: rule === null ? 'muted' : 'text' },
    { label: 'in', text: oneLine(request.cwd), tone: 'text' },
    why,
  ];
}

/** Keys and what they do, in long and in short words. */
export interface Hint {
  key: string;
  long: string;
  short: string;
}

const stop: Hint = { key: 'esc', long: 'no, and stop', short: 'stop' };
const back: Hint = { key: 'esc', long: 'back', short: 'back' };

/** What can be pressed now. */
export function hintsOf(question: Question): Hint[] {
  const { request, typing, endSeen } = question;
  if (typing?.what === 'rule') {
    if (typing.text.trim() === '')
      return [{ key: '', long: 'type a rule to save', short: 'type a rule' }, back];
    return [{ key: 'enter', long: 'allow, and save this rule', short: 'save' }, back];
  }
  const isPlanned = isPlan(question);
  if (typing?.what === 'reason') {
    const no = isPlanned ? 'keep planning' : 'no';
    const reason = typing.text.trim() === '' ? 'without a reason' : 'and tell the model this';
    return [{ key: 'enter', long: `${no}, ${reason}`, short: no }, back];
  }
  if (!endSeen)
    return [{ key: 'PgDn', long: 'or ↓: scroll to the end first', short: 'to the end first' }, stop];
  if (isPlanned) {
    return [
      { key: 'y', long: 'approve', short: 'approve' },
      { key: 'a', long: 'approve, and accept edits', short: 'accept edits' },
      { key: 'n', long: 'keep planning', short: 'no' },
      stop,
    ];
  }
  const mode = request.suggested_mode;
  return [
    { key: 'y', long: 'once', short: 'once' },
    ...(request.suggested_rule === null ? [] : [{ key: 'a', long: 'always', short: 'always' }]),
    ...(mode === undefined ? [] : [{ key: 'm', long: `once, then mode ${mode}`, short: mode }]),
    { key: 'n', long: 'no, with a reason', short: 'no' },
    stop,
  ];
}

/** What the box is about, made visible. */
export function titleOf(question: Question): { text: string; about: string } {
  const { request } = question;
  const agent = request.agent === undefined ? '' : ` for ${oneLine(request.agent)}`;
  return isPlan(question)
    ? { text: 'Approve this plan?', about: agent }
    : { text: `Allow ${oneLine(request.tool_name)}?`, about: agent };
}
