import type { PermissionCall } from '../../../domain/permissions/facts.ts';
import { nearNames } from '../../../domain/text/near-names.ts';
import { builtinToolNames, knownToolNames, toolMetadata } from './tool-metadata.ts';

/**
 * A call as people write it, `bash(git push)`, `read(src/a.ts)` or `web_search`; in the parentheses stands
 * what the tool's rules look at, or the whole input as JSON. A text says what is wrong.
 */
export function parseCall(text: string): PermissionCall | string {
  const parts = /^\s*([A-Za-z][\w.-]*)(?:\(([^]*)\))?\s*$/.exec(text);
  if (parts?.[1] === undefined) return 'expected a call such as `bash(git push)` or `read(src/a.ts)`';
  const tool = toolMetadata(parts[1]);
  const inner = parts[2];
  if (inner === undefined || inner === '') return { tool, input: {} };
  const input = jsonObject(inner);
  if (input !== null) return { tool, input };
  if (tool.subject === undefined) return noSubject(tool.name);
  return { tool, input: { [tool.subject.field]: inner } };
}

/** Why a text alone is no input for a tool. */
function noSubject(name: string): string {
  const names = builtinToolNames();
  if (knownToolNames().includes(name) || name.startsWith('mcp__'))
    return `${name} takes a JSON object: ${name}({…})`;
  const near = nearNames(name, names);
  const hint = near.length === 0 ? `there are ${names.join(', ')}` : `did you mean ${near.join(' or ')}?`;
  return `this version has no tool ${name}; ${hint}`;
}

function jsonObject(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // A group of commands begins with a brace too.
    return null;
  }
}
