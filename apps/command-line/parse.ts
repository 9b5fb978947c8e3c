import { parseArgs } from 'node:util';
import { nearNames } from '../../domain/text/near-names.ts';
import { commands, commonOptions, options, type CommandRow } from './table.ts';

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

function explain(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  const unknown = /'(-[^']*)'/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearNames(
      unknown.replace(/^-+/, ''),
      options.map((option) => option.name),
    );
    const meant = near.slice(0, 2).map((name) => `--${name}`);
    const hint = meant.length === 0 ? 'see larik --help' : `did you mean ${meant.join(' or ')}?`;
    return `unknown option ${unknown}; ${hint} (a prompt that begins with "-" comes after "--")`;
  }
  const first = message.split('\n')[0] ?? message;
  return `${first.charAt(0).toLowerCase()}${first.slice(1)} See larik --help`;
}

/**
 * Reads the command line. With `-p` it is a run whatever the words say; otherwise the first word
 * that names a command is that command. Throws `UsageError`.
 */
export function parseLine(args: readonly string[]): ParsedLine {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error));
  }
  const { values, positionals } = parsed;
  const [run] = commands;
  if (run === undefined) throw new Error('the table of commands is empty');
  const named =
    values['print'] === true
      ? undefined
      : commands.find((row) => row.name !== '' && row.name === positionals[0]);
  const command = named ?? run;
  const allowed = new Set<string>([...command.options, ...commonOptions]);
  const misplaced = Object.keys(values).find((name) => !allowed.has(name));
  if (misplaced !== undefined) {
    const where = command.name === '' ? 'a run' : `"larik ${command.name}"`;
    throw new UsageError(`--${misplaced} is no option of ${where}; see larik help ${command.name}`.trimEnd());
  }
  return {
    command,
    operands: named === undefined ? positionals : positionals.slice(1),
    flags: values as Flags,
  };
}
