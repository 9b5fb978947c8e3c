import type { ShellCommand } from '../../ports/shell-parser.ts';
import { hostOf } from '../text/host.ts';
import type { BashLine } from './bash/bash-line.ts';
import { allowingRule } from './bash/bash-match.ts';
import { programOf } from './bash/word-shape.ts';
import { subjectText, type Facts, type PermissionCall } from './facts.ts';
import { parseRule } from './rules.ts';

/** Tools whose first argument says what they do. */
const withSubcommands = new Set(
  'git go npm pnpm yarn bun cargo docker podman kubectl helm uv pip pip3 poetry gh glab brew apt apt-get dotnet terraform systemctl gem bundle composer mix rustup deno'.split(
    ' ',
  ),
);

const scriptRunners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Programs that run whatever they are given: only the very line is ever suggested. */
const runAnything = new Set(
  'sh bash dash zsh ksh fish node nodejs deno ruby perl php lua osascript pwsh powershell sudo doas su env xargs find eval exec source . command builtin trap nohup nice time timeout setsid watch ssh awk gawk npx bunx uvx parallel script busybox'.split(
    ' ',
  ),
);

/** Subcommands that do. */
const runsAnything = new Set('run exec x dlx tool shell eval start-stop-daemon'.split(' '));

/**
 * The rule that "always" would add for this call; null if none fits, and then it is not offered
 * (spec: permissions, "Authorize"). It allows this call and as little else as is useful.
 */
export function suggestRule(call: PermissionCall, facts: Facts): string | null {
  const { tool } = call;
  if (tool.name === 'exit_plan_mode') return null;
  if (tool.name === 'bash') return facts.line === null ? null : forLine(facts.line);
  if (tool.subject?.kind === 'host') {
    const host = hostOf(subjectText(call));
    return host === null ? null : `${tool.name}(domain:${host})`;
  }
  return tool.name;
}

function forLine(line: BashLine): string | null {
  const own = line.commands.filter(({ elsewhere }) => elsewhere !== true);
  return allowing(own.map(forCommand), line) ?? allowing(own.map(exactly), line);
}

/** The one rule that several commands come to, if it allows their line. */
function allowing(rules: readonly (string | null)[], line: BashLine): string | null {
  const [text, ...others] = new Set(rules);
  if (others.length > 0 || text === undefined || text === null) return null;
  const rule = parseRule({ text });
  return typeof rule === 'object' && allowingRule([rule], line) !== null ? text : null;
}

function forCommand(command: ShellCommand): string | null {
  const program = programOf(command);
  const [name = '', first = '', second = ''] = command.words.map(({ raw }) => raw);
  if (program === null || !isPlainWord(name)) return exactly(command);
  if (runAnything.has(program) || /^(?:python|pypy)[\d.]*$/.test(program)) return exactly(command);
  if (!withSubcommands.has(program)) return `bash(${name}*)`;
  if (!isPlainWord(first)) return exactly(command);
  if (scriptRunners.has(program) && first === 'run' && isPlainWord(second)) {
    return `bash(${name} run ${second}*)`;
  }
  return runsAnything.has(first) ? exactly(command) : `bash(${name} ${first}*)`;
}

/** The line itself as a pattern; none if that would be read as more, or does not show what it is. */
function exactly({ text }: ShellCommand): string | null {
  return text.includes('*') || /[^\P{C} ]|[^\P{Z} ]/u.test(text) ? null : `bash(${text})`;
}

function isPlainWord(word: string): boolean {
  return /^[\w./][\w./:@+-]*$/.test(word);
}
