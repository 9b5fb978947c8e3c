import { token } from './token.ts';

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
}

export interface ShellAssignment {
  name: string;
  /** Null if only running the line would tell. */
  value: string | null;
}

export interface ShellRedirection {
  operator: string;
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
}

/** Why a line was not understood: `size` is more than is worth parsing, and then nothing of it was. */
export type ShellProblem = 'syntax' | 'control' | 'size';

/** All that the line would run, or could. */
export interface ShellLine {
  /** Null: understood completely. Otherwise the rest holds what could be seen. */
  problem: ShellProblem | null;
  /** In the order in which they stand. */
  commands: ShellCommand[];
  /** Redirections of groups, loops and subshells. */
  redirections: ShellRedirection[];
  /** A command or process substitution stands anywhere in it, or something that evaluates like one. */
  substitutes: boolean;
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
