import { parseArgs } from 'node:util';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { foreignAnswer } from './foreign-answer.ts';
import { usageOf } from './help.ts';
import { commands, commonOptions, options, topics, versionPage, type CommandRow } from './table.ts';

/** Bad usage: what is wrong and what to do, for standard error; exit code 2. */
export class UsageError extends Error {}

export interface ParsedLine {
  command: CommandRow;
  operands: string[];
  flags: Record<string, string | boolean | string[] | undefined>;
}

type Flags = ParsedLine['flags'];

const config = Object.fromEntries(
  options.map((option) => [
    option.name,
    {
      type: option.value === undefined ? ('boolean' as const) : ('string' as const),
      ...(option.short === undefined ? {} : { short: option.short }),
      ...(option.multiple === true ? { multiple: true } : {}),
    },
  ]),
);

const realCommands = commands.filter((row) => row.name !== '' && row.page === undefined);

function unknownOption(option: string): string {
  const near = nearNames(
    option.replace(/^-+/, ''),
    options.map(({ name }) => name),
  );
  const meant = near.slice(0, 2).map((name) => `--${name}`);
  const hint = meant.length === 0 ? 'see larik --help' : `did you mean ${meant.join(' or ')}?`;
  return `unknown option ${option}; ${hint} (a prompt that begins with "-" comes after "--")`;
}

/** For an option whose value is missing, or begins with "-" and so may be an option itself. */
function missingValue(name: string, args: readonly string[]): string {
  const row = options.find((option) => option.name === name);
  const isRun = args.includes('-p') || args.includes('--print');
  const command = isRun ? undefined : realCommands.find((one) => one.name === args[0]);
  const typed = `--${name} ${row?.example ?? row?.value ?? ''}`;
  const example = command === undefined ? `larik -p ${typed} "…"` : `larik ${command.name} ${typed}`;
  const next = args[args.indexOf(`--${name}`) + 1] ?? '';
  const isOption = options.some((one) => next === `--${one.name}` || next === `-${one.short}`);
  const isNumber = /^-[\d.]+$/.test(next);
  const said = `--${name} needs a value${isNumber ? `, not ${next}` : ''}: ${example}`;
  if (!next.startsWith('-') || next === '--' || isOption || isNumber) return said;
  return `${said}; one that begins with "-" follows "=": --${name}=${oneLine(next)}`;
}

/** What `parseArgs` found wrong, in our own words. */
function explain(error: unknown, args: readonly string[]): string {
  const { code, message } = error as { code?: string; message: string };
  const quoted = /'(-[^']*)'/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return foreignAnswer(args) ?? unknownOption(oneLine(quoted));
  const name = /--([\w-]+)/.exec(quoted)?.[1];
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' || name === undefined) {
    return `the command line cannot be read (${oneLine(message)}); see larik --help`;
  }
  const isSwitch = options.some((option) => option.name === name && option.value === undefined);
  return isSwitch ? `--${name} takes no value; write it alone` : missingValue(name, args);
}

/** What to say of a first word that looks like a command and is none; null for what looks like a prompt. */
function unknownCommand(words: readonly string[]): string | null {
  const [first] = words;
  if (first === undefined || !/^[A-Za-z][\w-]*$/.test(first)) return null;
  const head = `there is no command \`${first}\``;
  if (topics.some(({ name }) => name === first)) return `${head}; larik help ${first} tells of it`;
  const near = nearNames(
    first,
    realCommands.map(({ name }) => name),
  );
  const prompt = 'A prompt comes behind -p: larik -p "…"';
  if (near.length > 0) {
    const meant = `${head}; did you mean ${near.join(' or ')}?`;
    return words.length === 1 ? meant : `${meant} ${prompt}`;
  }
  const isOneWord = words.length === 1 && first === first.toLowerCase();
  return isOneWord ? `${head}; larik --help lists them. ${prompt}` : null;
}

/** For an option that there is, though not for this command. */
function misplacedOption(name: string, command: CommandRow): string {
  if (command.name !== '') {
    return `--${name} is no option of larik ${command.name}; see larik ${command.name} --help`;
  }
  if (name === 'json') {
    return '--json is no option of a run; --output result prints one JSON object at its end, --output json every event';
  }
  if (name === 'yes') return '--yes is no option of a run; --mode yolo runs everything without asking';
  const takers = realCommands.filter((row) => row.options.includes(name)).map((row) => `larik ${row.name}`);
  return `--${name} is no option of a run, but of ${takers.join(', ')}; see larik --help`;
}

/** Throws for words that are missing behind a command, or are too many. */
function countOperands(command: CommandRow, operands: readonly string[]): void {
  const [least, most] = command.count ?? [0, Infinity];
  if (operands.length < least) throw new UsageError(`a word is missing; usage: ${usageOf(command)}`);
  if (operands.length > most) {
    throw new UsageError(`${oneLine(operands[most] ?? '')} is one word too many; usage: ${usageOf(command)}`);
  }
}

/**
 * Reads the command line. With `-p` it is a run whatever the words say; otherwise the first word
 * that names a command is that command. `--version` is help on the version. Throws `UsageError`.
 */
export function parseLine(args: readonly string[]): ParsedLine {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error, args));
  }
  const { values, positionals } = parsed;
  const [run] = commands;
  if (run === undefined) throw new Error('the table of commands is empty');
  // The version is a page of help, so that it can be asked for whatever else stands there.
  if (values['version'] === true) return { command: versionPage, operands: [], flags: { help: true } };
  const isRun = values['print'] === true;
  const named = isRun ? undefined : realCommands.find((row) => row.name === positionals[0]);
  const isHelp = values['help'] === true;
  const unknown =
    isRun || isHelp || named !== undefined ? null : (foreignAnswer(args) ?? unknownCommand(positionals));
  if (unknown !== null) throw new UsageError(unknown);
  const command = named ?? run;
  const allowed = new Set<string>([...command.options, ...commonOptions]);
  const misplaced = Object.keys(values).find((name) => !allowed.has(name));
  if (misplaced !== undefined) {
    throw new UsageError(misplacedOption(misplaced, command));
  }
  const operands = named === undefined ? positionals : positionals.slice(1);
  if (!isHelp) countOperands(command, operands);
  return { command, operands, flags: values as Flags };
}
