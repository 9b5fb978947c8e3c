import type { ShellCommand } from '../../ports/shell-parser.ts';
import type { BashLine } from './bash/bash-line.ts';
import { allowingRule, denyingRule } from './bash/bash-match.ts';
import { named, type Rule, type Rules } from './rules.ts';

/** What rules say of one command of a line, or of what is around the commands. */
export interface LineNote {
  /** The command as written; null: the line as a whole. */
  command: string | null;
  text: string;
  kind: 'allowed' | 'denied' | 'open';
}

/** A command as if it stood alone, with nothing around it. */
function alone(line: BashLine, command: ShellCommand): BashLine {
  return {
    ...line,
    problem: null,
    commands: [command],
    readings: [command],
    loops: [],
    redirections: [],
    functions: [],
    substitutes: false,
    writes: false,
    unknown: false,
    computed: false,
  };
}

const problems = {
  syntax: 'bash would not understand it, or larik does not',
  control: 'it holds a control character',
  size: 'it is too long to be taken apart',
} satisfies Record<NonNullable<BashLine['problem']>, string>;

/** What keeps every pattern from covering a command, whatever it says; null if nothing does. */
function obstacle(command: ShellCommand): string | null {
  const { words, assignments, redirections, test } = command;
  const [name] = words;
  const targets = redirections.flatMap(({ target }) => target ?? []);
  const values = assignments.flatMap((one) => one.words);
  if (test) return 'it is a test, which no pattern can name';
  if ([...words, ...values, ...targets].some(({ substitutes }) => substitutes))
    return 'it has a substitution';
  if (redirections.some(({ writes }) => writes)) return 'it writes to a file';
  if (assignments.length > 0) return `it sets ${assignments.map((one) => one.name).join(', ')}`;
  if (name === undefined) return null;
  const isKnown = name.value !== null && !name.expands && !name.globs && !name.tilde;
  return isKnown ? null : 'which program it runs is not known before it does';
}

/** What keeps every pattern from covering the line beside its commands. */
function around(line: BashLine): string[] {
  const inCommands = line.commands.some((one) => obstacle(one) === 'it has a substitution');
  return [
    ...(line.problem === null ? [] : [problems[line.problem]]),
    ...(line.substitutes && !inCommands ? ['it has a substitution'] : []),
    ...(line.redirections.some(({ writes }) => writes) ? ['it writes to a file'] : []),
    ...line.functions.map((name) => `it defines the function ${name}`),
    ...(line.unknown ? ['what one of its commands runs in turn is not known before it does'] : []),
  ];
}

/** A rule whose pattern fits the text, but not all that an option may do; and that option, if it is one. */
function almost(allow: readonly Rule[], line: BashLine, command: ShellCommand): string | null {
  const { words } = command;
  const without = (at: number) => ({ ...command, words: words.filter((_, place) => place !== at) });
  const bare = { ...command, words: words.slice(0, 1) };
  const rule = allow.find((one) => allowingRule([one], alone(line, bare)) !== null);
  if (rule === undefined) return null;
  // What it is mostly: an option. A subcommand stands first, and without it anything would be covered.
  const isOption = (at: number) => words[at]?.raw.startsWith('-') === true;
  const places = [...words.keys()].slice(1).reverse();
  const inOrder = [...places.filter(isOption), ...places.filter((at) => !isOption(at))];
  const at = inOrder.find((place) => allowingRule([rule], alone(line, without(place))) !== null);
  const option =
    (at === undefined ? undefined : words[at]?.raw) ?? 'an option of it that writes or runs something';
  return `the allow rule ${named(rule.source)} does not name ${option}`;
}

function forCommand(line: BashLine, command: ShellCommand, { allow, deny }: Rules): LineNote {
  const note = (kind: LineNote['kind'], text: string): LineNote => ({ command: command.text, kind, text });
  const denied = denyingRule(deny, alone(line, command));
  if (denied !== null) return note('denied', `the deny rule ${named(denied.source)} forbids it`);
  const why = obstacle(command);
  const plain = { ...command, test: false, assignments: [], redirections: [] };
  const rule = allowingRule(allow, alone(line, plain));
  if (rule !== null) {
    if (why === null) return note('allowed', `the allow rule ${named(rule.source)} covers it`);
    return note('open', `${why}, so the allow rule ${named(rule.source)} does not cover it`);
  }
  const near = almost(allow, line, plain);
  return note('open', near ?? (why === null ? noRule : `${why}, so no allow rule with a pattern covers it`));
}

const noRule = 'no allow rule names it';

/**
 * For each command of a line, those that its commands run among them, which rule covers or forbids it, and
 * why none does; then what stands around them (spec: permissions, "Explaining"). Empty where the line is
 * settled as a whole: by a rule without a pattern, or with a single command that no rule knows.
 */
export function explainLine(line: BashLine, rules: Rules): LineNote[] {
  const own = (list: readonly Rule[]): Rule[] => list.filter(({ tool }) => tool === 'bash');
  const [allow, deny] = [own(rules.allow), own(rules.deny)];
  if ([...allow, ...deny].some(({ pattern }) => pattern === null)) return [];
  const written = line.commands.map((command) => forCommand(line, command, { ...rules, allow, deny }));
  const isTold = written.some(({ kind }) => kind === 'denied');
  // What a command comes to once its variables are filled in is told where only that is forbidden.
  const filled = isTold
    ? []
    : line.readings.map((one) => forCommand(line, one, { ...rules, allow: [], deny }));
  const notes = [...written, ...filled.filter(({ kind }) => kind === 'denied')];
  const [first] = notes;
  const rest = around(line).map((why): LineNote => {
    return { command: null, kind: 'open', text: `${why}, so no allow rule with a pattern covers it` };
  });
  const isSettled = notes.length === 1 && first?.text === noRule && rest.length === 0;
  return isSettled ? [] : [...notes, ...rest];
}
