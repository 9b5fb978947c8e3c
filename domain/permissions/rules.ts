import type { RuleSource, RuleSources, SettingsProblem } from '../../ports/settings.ts';
import { domainName } from '../text/host.ts';

/** One permission rule, taken apart. `pattern` null: every call of the tool. */
export interface Rule {
  tool: string;
  pattern: string | null;
  /** As written, without blanks around it. */
  source: RuleSource;
}

export type Rules = Record<keyof RuleSources, Rule[]>;

const fileTools = new Set(['read', 'write', 'edit', 'multi_edit', 'grep', 'glob']);
const hostTools = new Set(['web_fetch', 'browser_navigate']);
const withoutSubject = new Set(['web_search', 'todo_write', 'exit_plan_mode']);

/**
 * Takes the rules apart (spec: permissions, "Rules"). What does not parse is left out and reported;
 * a `fatal` problem must stop the start.
 */
export function parseRules(sources: RuleSources): { rules: Rules; problems: SettingsProblem[] } {
  const rules: Rules = { allow: [], ask: [], deny: [] };
  const problems: SettingsProblem[] = [];
  for (const kind of ['allow', 'ask', 'deny'] as const) {
    for (const source of sources[kind]) {
      const parsed = parseRule(source);
      if (typeof parsed === 'object') rules[kind].push(parsed);
      else problems.push(problem(kind, source, parsed));
    }
  }
  return { rules, problems };
}

/** The rule, or what is wrong with it. */
export function parseRule(source: RuleSource): Rule | string {
  const text = source.text.trim();
  const parts = /^([A-Za-z][\w.-]*)(?:\(([^]*)\))?$/.exec(text);
  if (parts?.[1] === undefined) return 'expected `tool` or `tool(pattern)`';
  const tool = parts[1];
  const pattern = parts[2]?.trim() ?? null;
  const wrong = wrongName(tool) ?? (pattern === null ? null : wrongPattern(tool, pattern));
  if (wrong !== null) return wrong;
  return {
    tool,
    pattern: pattern === null ? null : normalised(tool, pattern),
    source: { ...source, text },
  };
}

function wrongName(tool: string): string | null {
  const lower = tool.toLowerCase();
  const known = lower === 'bash' || fileTools.has(lower) || hostTools.has(lower) || withoutSubject.has(lower);
  return known && lower !== tool ? `the tool's name is \`${lower}\`` : null;
}

function wrongPattern(tool: string, pattern: string): string | null {
  if (pattern === '') return `the pattern is empty; write \`${tool}\` for all its calls`;
  if (tool.startsWith('mcp__')) return `MCP rules take no pattern: \`${tool}\``;
  if (withoutSubject.has(tool)) return `\`${tool}\` takes no pattern`;
  if (hostTools.has(tool)) return wrongHost(pattern);
  return fileTools.has(tool) ? wrongPath(pattern) : null;
}

function wrongHost(pattern: string): string | null {
  if (!pattern.startsWith('domain:')) return 'expected `domain:NAME` as the pattern';
  return domainName(pattern.slice('domain:'.length)) === null
    ? 'the domain must be a host name such as `example.com`; it covers its subdomains'
    : null;
}

function wrongPath(pattern: string): string | null {
  if (pattern.split(/[\\/]/).includes('..')) return 'a path pattern with `..` would never match';
  if (pattern.startsWith('~') && !pattern.startsWith('~/')) return 'only `~/` names a home folder';
  if (/\{[^{}]*,[^{}]*\}/.test(pattern))
    return '`{a,b}` is not known in path patterns; write one rule for each';
  return null;
}

/** Runs of blanks count as one in command lines; a path pattern loses `./`, and a folder means what is in it. */
function normalised(tool: string, pattern: string): string {
  if (tool === 'bash') return pattern.replaceAll(/[ \t]+/g, ' ');
  if (!fileTools.has(tool)) return pattern;
  const path = pattern.replaceAll(/(^|\/)(\.\/)+/g, '$1').replaceAll(/\/{2,}/g, '/');
  return path.endsWith('/') ? `${path}**` : path;
}

/** A malformed deny rule would protect nothing. */
function problem(kind: keyof Rules, source: RuleSource, wrong: string): SettingsProblem {
  const text = `${kind} rule ${named(source)}: ${wrong}`;
  return { level: kind === 'deny' ? 'error' : 'warning', text, fatal: kind === 'deny' };
}

/** A rule as people know it: what it says, and where. */
export function named({ text, origin }: RuleSource): string {
  return origin === undefined ? `\`${text}\`` : `\`${text}\` (${origin})`;
}
