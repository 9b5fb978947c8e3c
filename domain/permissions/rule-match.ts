import { hostMatches, hostOf } from '../text/host.ts';
import { wildcardMatches } from '../text/glob.ts';
import { allowingRule, denyingRule } from './bash/bash-match.ts';
import { subjectText, type Facts, type PermissionCall } from './facts.ts';
import { allowPathMatches, denyPathMatches, type Place } from './path-policy.ts';
import type { Rule } from './rules.ts';

/** The allow rule that covers the call; null if none does (spec: permissions, "Rules"). */
export function matchingAllow(
  rules: readonly Rule[],
  call: PermissionCall,
  facts: Facts,
  place: Place,
): Rule | null {
  const own = rules.filter((rule) => names(rule.tool, call.tool.name));
  if (facts.line !== null) return allowingRule(own, facts.line);
  const covering = ({ pattern }: Rule) => pattern === null || matches(pattern, call, facts, place, 'allow');
  return own.find(covering) ?? null;
}

/** The deny or ask rule that names the call; null if none does. Both are matched so. */
export function matchingDeny(
  rules: readonly Rule[],
  call: PermissionCall,
  facts: Facts,
  place: Place,
): Rule | null {
  const own = rules.filter((rule) => names(rule.tool, call.tool.name) || reachesAllWriters(rule, call));
  if (facts.line !== null) return denyingRule(own, facts.line);
  const naming = ({ pattern }: Rule) => pattern === null || matches(pattern, call, facts, place, 'deny');
  return own.find(naming) ?? null;
}

const fileWriters = new Set(['edit', 'write', 'multi_edit']);

/** A deny pattern for one file-writing tool holds for all of them: the file is what it protects. */
function reachesAllWriters(rule: Rule, { tool }: PermissionCall): boolean {
  if (rule.pattern === null || !fileWriters.has(rule.tool)) return false;
  return tool.effect === 'write' && tool.subject?.kind === 'path';
}

/** `mcp__server` names all tools of that server; every other name only itself. */
function names(rule: string, tool: string): boolean {
  if (rule === tool) return true;
  return /^mcp__(?:(?!__).)+$/s.test(rule) && tool.startsWith(`${rule}__`);
}

function matches(
  pattern: string,
  call: PermissionCall,
  { path }: Facts,
  place: Place,
  kind: 'allow' | 'deny',
): boolean {
  const subject = call.tool.subject;
  // A pattern for a tool that names no subject: nothing can be allowed by it, anything forbidden.
  if (subject === undefined) return kind === 'deny';
  switch (subject.kind) {
    case 'path':
      // A path that cannot be followed could be any.
      if (path === null) return kind === 'deny';
      return kind === 'allow'
        ? allowPathMatches(pattern, path, place)
        : denyPathMatches(pattern, path, place);
    case 'host': {
      const host = hostOf(subjectText(call));
      // So could an address that cannot be read.
      return host === null ? kind === 'deny' : hostMatches(pattern, host);
    }
    case 'text':
      return wildcardMatches(pattern, subjectText(call));
    default:
      return subject.kind satisfies never;
  }
}
