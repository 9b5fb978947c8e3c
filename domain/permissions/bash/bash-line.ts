import type { ShellCommand, ShellParser, ShellProblem } from '../../../ports/shell-parser.ts';
import { runBy } from './wrappers.ts';

/** A bash line with all that it would run, also by way of `sudo`, `xargs`, `sh -c` and the like. */
export interface BashLine {
  /** As the model wrote it. */
  raw: string;
  /** Null: understood completely. */
  problem: ShellProblem | null;
  /** The line's own commands, and after each what it would run in turn. */
  commands: ShellCommand[];
  substitutes: boolean;
  /** Something in it opens a file for writing. */
  writes: boolean;
  /** It defines functions, so that a name need not mean what it says. */
  functions: boolean;
  /** Exactly one plain command without operators. */
  single: boolean;
  /** What one of its commands runs cannot be known, as with `sh -c "$x"`. */
  unknown: boolean;
}

/** Wrappers within wrappers; nobody writes more than three. */
const deepest = 8;

/** Takes a line apart, down to the commands that its commands run (spec: permissions, "Bash lines"). */
export function readBashLine(raw: string, parser: ShellParser): BashLine {
  return read(raw, parser, deepest);
}

function read(raw: string, parser: ShellParser, depth: number): BashLine {
  const parsed = parser.parse(raw);
  const line: BashLine = {
    raw,
    problem: parsed.problem,
    commands: [],
    substitutes: parsed.substitutes,
    writes: [...parsed.redirections, ...parsed.commands.flatMap((one) => one.redirections)].some(
      ({ writes }) => writes,
    ),
    functions: parsed.functions.length > 0,
    single: parsed.single,
    unknown: false,
  };
  for (const command of parsed.commands) addWithInner(line, command, parser, depth);
  return line;
}

function addWithInner(line: BashLine, command: ShellCommand, parser: ShellParser, depth: number): void {
  line.commands.push(command);
  const inner = runBy(command);
  if (depth === 0) {
    line.unknown ||= inner.length > 0;
    return;
  }
  for (const one of inner) {
    switch (one.kind) {
      case 'command':
        addWithInner(line, one.command, parser, depth - 1);
        break;
      case 'script':
        join(line, read(one.text, parser, depth - 1));
        break;
      case 'unknown':
        line.unknown = true;
        break;
      default:
        one satisfies never;
    }
  }
}

function join(line: BashLine, inner: BashLine): void {
  line.problem ??= inner.problem;
  line.commands.push(...inner.commands);
  line.substitutes ||= inner.substitutes;
  line.writes ||= inner.writes;
  line.functions ||= inner.functions;
  line.unknown ||= inner.unknown;
}
