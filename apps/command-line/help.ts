import { details } from './pages.ts';
import { commands, commonOptions, options, topics, type CommandRow } from './table.ts';

const exitCodes = `Exit codes of a run: 0 done, 1 error, 2 bad usage or settings, 3 refused or denied,
4 a limit was reached, 130 interrupted, 143 terminated.`;

function optionLines(names: readonly string[]): string {
  const rows = options
    .filter((option) => names.includes(option.name))
    .map((option) => {
      const short = option.short === undefined ? '    ' : `-${option.short}, `;
      const value = option.value === undefined ? '' : ` ${option.value}`;
      return { left: `${short}--${option.name}${value}`, about: option.about };
    });
  const width = Math.max(...rows.map((row) => row.left.length));
  return rows.map((row) => `  ${row.left.padEnd(width)}  ${row.about}\n`).join('');
}

/** How a command is typed, in one line. */
export function usageOf(command: CommandRow): string {
  return ['larik', command.name, command.usage].filter((part) => part !== '').join(' ');
}

/** What a command says to words that it does not take. */
export function expected(name: string): string {
  const command = commands.find((row) => row.name === name);
  return `larik ${name}: usage: ${command === undefined ? '' : usageOf(command)}; see larik help ${name}`;
}

/** Help on everything, in one screen. */
export function generalHelp(): string {
  const real = commands.filter((command) => command.page === undefined);
  const width = Math.max(...real.map((command) => usageOf(command).length));
  const lines = real.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.about}\n`);
  return `larik: a coding agent for the terminal

Usage:
${lines.join('')}
Options of a run:
${optionLines([...(commands[0]?.options ?? []), ...commonOptions])}
A prompt that begins with "-" comes after "--".
${exitCodes}
More: larik COMMAND --help; larik help ${topics.map(({ name }) => name).join('|')}
`;
}

/** Help on one command, with an example; or a page. */
export function commandHelp(command: CommandRow): string {
  if (command.page !== undefined) return command.page;
  const more = details[command.name];
  const about = `${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`;
  return `Usage: ${usageOf(command)}

${about}

Options:
${optionLines([...command.options, ...commonOptions])}
${more === undefined ? '' : `${more}\n`}Example:
  ${command.example}
${command.name === '' ? `\n${exitCodes}\n` : ''}`;
}
