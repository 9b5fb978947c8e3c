import { parse, type Script } from 'unbash';
import type { ShellCommand, ShellLine, ShellParser } from '../../ports/shell-parser.ts';
import { readScript } from './script-reader.ts';

/** Longer lines are not worth the time. */
const longestLine = 64 * 1024;
/** Nor are those with so many levels that could be nested: the time grows with their square. */
const mostOpenings = 4096;
/** Nor are those with so many commands: each is held against each rule, in each way it could run. */
const mostCommands = 1000;
const mostWords = 4000;

/** Takes bash lines apart with unbash (spec: libraries, section 1). */
export const unbashParser: ShellParser = {
  parse(line) {
    if (line.length > longestLine || countOpenings(line) > mostOpenings) return notRead('size');
    try {
      const script = parse(line);
      const read = readScript(script, line);
      if (read.commands.length > mostCommands || countWords(read.commands) > mostWords)
        return notRead('size');
      const problem = hasControlCharacter(line) ? 'control' : read.broken ? 'syntax' : null;
      const { commands, loops, redirections, substitutes, expandsTwice, functions } = read;
      const single = isSingle(script, line);
      return { problem, commands, loops, redirections, substitutes, expandsTwice, functions, single };
    } catch (error) {
      // Only a line nested beyond all measure overflows the parser's stack.
      if (error instanceof RangeError) return notRead('size');
      throw error;
    }
  },
};

function notRead(problem: 'size'): ShellLine {
  return {
    problem,
    commands: [],
    loops: [],
    redirections: [],
    substitutes: false,
    expandsTwice: false,
    functions: [],
    single: false,
  };
}

function countWords(commands: readonly ShellCommand[]): number {
  return commands.reduce((count, { words }) => count + words.length, 0);
}

function countOpenings(line: string): number {
  return line.split(/[({`]/).length - 1;
}

function hasControlCharacter(line: string): boolean {
  return /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(line);
}

/** Nothing but blanks and a comment may stand beside the one command. */
function isSingle(script: Script, line: string): boolean {
  const [statement] = script.commands;
  if (script.commands.length !== 1 || statement?.command.type !== 'Command') return false;
  const { command } = statement;
  if (statement.background === true || command.redirects.length > 0 || command.name === undefined)
    return false;
  const blank = /^[ \t\n]*$/;
  const rest = line.slice(command.end);
  return blank.test(line.slice(0, command.pos)) && (blank.test(rest) || /^[ \t]+#[^\n]*[ \t\n]*$/.test(rest));
}
