import { token } from './token.ts';

/** A piece of a word. */
export type ShellPart =
  | { kind: 'text'; text: string; quoted: boolean }
  | {
      kind: 'variable';
      /** Also `1`, `@` and the like; of an array its name alone. */
      name: string;
      /** Every field of it: `$@`, `${a[*]}`. */
      all: boolean;
      quoted: boolean;
      /** What may stand in its place: the `y` of `${x:-y}`. */
      otherwise?: ShellPart[];
      /** It is set to that: `${x:=y}`. */
      sets?: true;
      /** The shell goes no further where it is empty: `${x:?}`. */
      required?: true;
    }
  /** Only running the line would tell. `many`: the line tells, but that is too much to list. */
  | { kind: 'unknown'; quoted: boolean; many?: true };

/** One word of a command line. */
export interface ShellWord {
  /** As written. */
  raw: string;
  /** After quotes and backslashes are taken away; null if only running the line would tell. */
  value: string | null;
  /** A parameter or arithmetic expansion is in it. */
  expands: boolean;
  /** A command or process substitution is in it, or something that evaluates like one. */
  substitutes: boolean;
  /** It is a pattern: an unquoted `*`, `?`, `[…]` or extended glob. `value` is then the pattern. */
  globs: boolean;
  /** It begins with an unquoted `~`, which `value` keeps. */
  tilde: boolean;
  /** What it is put together from, in order; what braces do is not in it. */
  parts: ShellPart[];
  /** What braces make of it: `{a,b}c` is `ac` and `bc`. Null if that is too much to list. */
  braces?: ShellWord[] | null;
  /** An assignment as a built-in takes it: the `a=b` of `export a=b`. */
  assigns?: ShellAssignment;
}

export interface ShellAssignment {
  name: string;
  /** Null if only running the line would tell. */
  value: string | null;
  /** The value, or the elements of an array. */
  words: ShellWord[];
  /** `set` for `a=b`, `list` for `a=(b c)`, `element` for `a[0]=b`. */
  kind: 'set' | 'list' | 'element';
  /** `+=`: what it had before stays in front. */
  append: boolean;
}

export interface ShellRedirection {
  operator: string;
  /** What stands in front of it: the `3` of `3<f`, the `{fd}` of `{fd}<f`. Absent: the operator's own. */
  descriptor?: string;
  /** Null for a here-document. */
  target: ShellWord | null;
  /** The text of a here-document or here-string, when it is known. */
  body?: string;
  /** Opens a file for writing, or a device or connection (`2>&1` and `/dev/null` do not). */
  writes: boolean;
}

/** A simple command, wherever it stands in the line. */
export interface ShellCommand {
  /** The words as written, joined by one blank. */
  text: string;
  words: ShellWord[];
  /** Assignments in front of it; a bare assignment is a command without words. */
  assignments: ShellAssignment[];
  redirections: ShellRedirection[];
  /** `[[ … ]]` or `(( … ))`: no rule can name it. */
  test: boolean;
  /**
   * Which subshells it stands in, outermost first, each by a number of its own: what one of them changes
   * (`cd`) holds there only. Absent: those of the command before it.
   */
  subshells?: readonly number[];
  /** The operator in front of it in its list; absent: it begins a statement. */
  after?: '&&' | '||';
  /**
   * The position among the line's commands from which on it is not sure that this one has run, and in
   * the same shell: in `a && b; c`, that of `c` for `b`.
   */
  until: number;
}

/** `for name in words`, and `select`. */
export interface ShellLoop {
  name: string;
  /** Null: the arguments of the script or function. */
  words: ShellWord[] | null;
  /** Positions among the line's commands between which the variable is set. */
  from: number;
  until: number;
}

/** Why a line was not understood: `size` is more than is worth parsing, and then nothing of it was. */
export type ShellProblem = 'syntax' | 'control' | 'size';

/** All that the line would run, or could. */
export interface ShellLine {
  /** Null: understood completely. Otherwise the rest holds what could be seen. */
  problem: ShellProblem | null;
  /** In the order in which they stand. */
  commands: ShellCommand[];
  loops: ShellLoop[];
  /** Redirections of groups, loops and subshells. */
  redirections: ShellRedirection[];
  /** A command or process substitution stands anywhere in it, or something that evaluates like one. */
  substitutes: boolean;
  /** `${x@P}` stands in it: what is in a variable is expanded once more. */
  expandsTwice: boolean;
  /** Names of functions that it defines. */
  functions: string[];
  /** Exactly one plain command: no list, pipe, group, loop, background or redirection. */
  single: boolean;
}

/** Takes a bash line apart (spec: permissions, "Bash lines"). Synchronous, total, never throws. */
export interface ShellParser {
  parse(line: string): ShellLine;
}
export const ShellParser = token<ShellParser>('ShellParser');
