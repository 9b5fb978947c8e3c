import type { ShellCommand, ShellLine, ShellParser } from '../../../ports/shell-parser.ts';
import { programOf, runBy } from './wrappers.ts';

/** A bash line with all that it would run, also by way of `sudo`, `xargs`, `sh -c` and the like. */
export interface BashLine extends ShellLine {
  /** As the model wrote it. */
  raw: string;
  /** The line's own commands, and after each what it would run in turn. */
  commands: ShellCommand[];
  /** Something in it opens a file for writing. */
  writes: boolean;
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
  const redirections = [...parsed.redirections];
  const opened = [...redirections, ...parsed.commands.flatMap((one) => one.redirections)];
  const writes = opened.some((one) => one.writes);
  const functions = [...parsed.functions];
  const line: BashLine = { ...parsed, raw, commands: [], redirections, functions, writes, unknown: false };
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
        addWithInner(line, { ...placeOf(command), ...one.command }, parser, depth - 1);
        break;
      case 'script':
        join(line, read(one.text, parser, depth - 1), command);
        break;
      case 'unknown':
        line.unknown = true;
        break;
      default:
        one satisfies never;
    }
  }
}

function placeOf({ subshells, after }: ShellCommand): Pick<ShellCommand, 'subshells' | 'after'> {
  return { ...(subshells === undefined ? {} : { subshells }), ...(after === undefined ? {} : { after }) };
}

/** What a script runs that `outer` was given: a shell of its own, but for `eval`. */
function join(line: BashLine, inner: BashLine, outer: ShellCommand): void {
  line.problem ??= inner.problem;
  const own = programOf(outer) === 'eval' ? [] : [-line.commands.length];
  const above = [...(outer.subshells ?? []), ...own];
  for (const one of inner.commands)
    line.commands.push({ ...one, subshells: [...above, ...(one.subshells ?? [])] });
  line.redirections.push(...inner.redirections);
  line.substitutes ||= inner.substitutes;
  line.writes ||= inner.writes;
  line.functions.push(...inner.functions);
  line.unknown ||= inner.unknown;
}
