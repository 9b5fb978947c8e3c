import type { ShellCommand, ShellLine, ShellParser } from '../../../ports/shell-parser.ts';
import { readingsOf } from './readings.ts';
import { programOf } from './word-shape.ts';
import { runBy } from './wrappers.ts';

/** `elsewhere`: an allow rule need not cover it, since it covers what names it there (`npx x`, `ssh h x`). */
export type BashCommand = ShellCommand & { elsewhere?: true };

/** A bash line with all that it would run, also by way of `sudo`, `xargs`, `sh -c` and the like. */
export interface BashLine extends ShellLine {
  /** As the model wrote it. */
  raw: string;
  /** The line's own commands, and after each what it would run in turn. */
  commands: BashCommand[];
  /** Something in it opens a file for writing. */
  writes: boolean;
  /** What one of its commands runs cannot be known, as with `sh -c "$x"`. */
  unknown: boolean;
  /**
   * The commands with what the line itself shows filled in: each in each way it could run, and after it
   * what it would run in turn.
   */
  readings: ShellCommand[];
  /** Even so, something could run that only running it would tell. */
  computed: boolean;
}

/** Wrappers within wrappers; nobody writes more than three. */
const deepest = 8;

/** Takes a line apart, down to the commands that its commands run (spec: permissions, "Bash lines"). */
export function readBashLine(raw: string, parser: ShellParser): BashLine {
  const line = read(raw, parser, deepest);
  return { ...line, ...readingsOf(line, (script) => read(script, parser, deepest)) };
}

function read(raw: string, parser: ShellParser, depth: number): BashLine {
  const parsed = parser.parse(raw);
  const redirections = [...parsed.redirections];
  const opened = [...redirections, ...parsed.commands.flatMap((one) => one.redirections)];
  const writes = opened.some((one) => one.writes);
  const functions = [...parsed.functions];
  const line: BashLine = {
    ...parsed,
    raw,
    commands: [],
    loops: [],
    redirections,
    functions,
    writes,
    unknown: false,
    readings: [],
    computed: false,
  };
  const places: number[] = [];
  for (const command of parsed.commands) {
    places.push(line.commands.length);
    addWithInner(line, command, parser, depth);
  }
  // Positions now count what wrappers run as well.
  const placed = (position: number) => places[position] ?? line.commands.length;
  for (const [at, command] of parsed.commands.entries()) {
    line.commands[placed(at)] = { ...command, until: placed(command.until) };
  }
  const own = parsed.loops.map((loop) => ({ ...loop, from: placed(loop.from), until: placed(loop.until) }));
  line.loops = [...own, ...line.loops].sort((one, other) => one.from - other.from);
  return line;
}

function addWithInner(line: BashLine, command: BashCommand, parser: ShellParser, depth: number): void {
  line.commands.push(command);
  const inner = runBy(command);
  if (depth === 0) {
    line.unknown ||= inner.length > 0;
    return;
  }
  for (const one of inner) {
    switch (one.kind) {
      case 'command':
        addWithInner(
          line,
          { ...placeOf(command), ...one.command, ...outside(command, one) },
          parser,
          depth - 1,
        );
        break;
      case 'script':
        join(line, read(one.text, parser, depth - 1), command, outside(command, one));
        break;
      case 'unknown':
        line.unknown = true;
        break;
      default:
        one satisfies never;
    }
  }
}

function outside(command: BashCommand, inner: { elsewhere?: true }): { elsewhere?: true } {
  return command.elsewhere === true || inner.elsewhere === true ? { elsewhere: true } : {};
}

function placeOf({ subshells, after }: ShellCommand): Pick<ShellCommand, 'subshells' | 'after'> {
  return { ...(subshells === undefined ? {} : { subshells }), ...(after === undefined ? {} : { after }) };
}

/** What a script runs that `outer` was given: a shell of its own, but for `eval`. */
function join(line: BashLine, inner: BashLine, outer: ShellCommand, mark: { elsewhere?: true }): void {
  line.problem ??= inner.problem;
  const before = line.commands.length;
  const own = programOf(outer) === 'eval' ? [] : [-line.commands.length];
  const above = [...(outer.subshells ?? []), ...own];
  for (const one of inner.commands) {
    const subshells = [...above, ...(one.subshells ?? [])];
    line.commands.push({ ...one, ...mark, subshells, until: one.until + before });
  }
  for (const { from, until, ...loop } of inner.loops) {
    line.loops.push({ ...loop, from: from + before, until: until + before });
  }
  line.redirections.push(...inner.redirections);
  line.substitutes ||= inner.substitutes;
  line.expandsTwice ||= inner.expandsTwice;
  line.writes ||= inner.writes;
  line.functions.push(...inner.functions);
  line.unknown ||= inner.unknown;
}
