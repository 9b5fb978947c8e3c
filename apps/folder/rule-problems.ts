import { parseRules } from '../../domain/permissions/rules.ts';
import { nearNames } from '../../domain/text/near-names.ts';
import type { RuleSources, SettingsProblem } from '../../ports/settings.ts';

/**
 * What is wrong with the rules of all layers: those that do not parse, and those for a tool that
 * there is not. A deny rule that protects nothing, for a name that was surely another's, is fatal.
 */
export async function ruleProblems(sources: RuleSources): Promise<SettingsProblem[]> {
  const { rules, problems } = parseRules(sources);
  const all = [...rules.allow, ...rules.ask, ...rules.deny];
  if (all.length === 0) return firstOf(problems);
  const { knownToolNames } = await import('../commands/permissions/tool-metadata.ts');
  const names = knownToolNames();
  const unknown = all.filter(({ tool }) => !tool.startsWith('mcp__') && !names.includes(tool));
  const denying = new Set(rules.deny);
  const told = unknown.map((rule, at): SettingsProblem => {
    const near = at < mostCompared ? nearNames(rule.tool, names) : [];
    const fatal = denying.has(rule) && near.length > 0;
    const { text, origin } = rule.source;
    const where = origin === undefined ? '' : `${origin}: `;
    const meant = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
    return {
      level: fatal ? 'error' : 'warning',
      text: `${where}rule ${text}: there is no tool ${rule.tool}${meant}`,
      fatal,
    };
  });
  return firstOf([...problems, ...told]);
}

/** Of each kind so many are told: a project's file could hold any number, and hide all else by them. */
const mostTold = 10;

/** For so many unknown tools it is worth the time to find what was meant. */
const mostCompared = 200;

function firstOf(problems: readonly SettingsProblem[]): SettingsProblem[] {
  const fatal = problems.filter((one) => one.fatal);
  const others = problems.filter((one) => !one.fatal);
  const shown = [...fatal.slice(0, mostTold), ...others.slice(0, mostTold)];
  const more = problems.length - shown.length;
  if (more === 0) return shown;
  return [...shown, { level: 'warning', text: `${more} more rules have mistakes`, fatal: false }];
}
