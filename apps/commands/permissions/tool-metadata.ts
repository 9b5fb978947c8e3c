import { builtinTools } from '../../../adapters/tools/builtin.ts';
import type { PermissionCall } from '../../../domain/permissions/facts.ts';
import type { ToolEffect, ToolSubject } from '../../../ports/tool.ts';

/** What permissions need to know of a tool. */
export type ToolMetadata = PermissionCall['tool'];

const url: ToolSubject = { field: 'url', kind: 'host' };

/** Tools that are not always there: rules for them can be tested all the same (spec: tools, "Effects"). */
const others: Record<string, { effect: ToolEffect; subject?: ToolSubject }> = {
  browser_navigate: { effect: 'network', subject: url },
  call_tool: { effect: 'read' },
  list_mcp_resources: { effect: 'read' },
  lsp: { effect: 'read' },
  raw_output: { effect: 'read' },
  read_mcp_resource: { effect: 'read' },
  run_code: { effect: 'read' },
  skill: { effect: 'read' },
  task: { effect: 'read' },
  task_stop: { effect: 'read' },
  task_wait: { effect: 'read' },
  tool_search: { effect: 'read' },
  web_fetch: { effect: 'network', subject: url },
  web_search: { effect: 'network' },
};

/** Effect and subject of a tool by its name; one that is not known counts as one that writes. */
export function toolMetadata(name: string): ToolMetadata {
  const tool = builtinTools.find(({ spec }) => spec.name === name);
  const known = tool ??
    (Object.hasOwn(others, name) ? others[name] : undefined) ?? { effect: 'write' as const };
  const { effect, subject } = known;
  return { name, effect, ...(subject === undefined ? {} : { subject }) };
}

/** The tools that this version has. */
export function builtinToolNames(): string[] {
  return builtinTools.map(({ spec }) => spec.name);
}

/** Names that a rule may reasonably hold: the tools that are here, and those that may be. */
export function knownToolNames(): string[] {
  return [...builtinToolNames(), ...Object.keys(others)];
}
