import type { ToolSpec } from '../../ports/provider.ts';

/** Markers of calls that a server should have turned into real ones. */
const markers = /<tool_call>|<function=|<\|tool_call|\[TOOL_CALLS\]|<invoke name=/;

function namesTool(json: string, tools: readonly ToolSpec[]): boolean {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return false;
    const { name, ...rest } = value as Record<string, unknown>;
    const carriesInput = ['arguments', 'parameters', 'input'].some((key) => key in rest);
    return carriesInput && tools.some((tool) => tool.name === name);
  } catch {
    return false;
  }
}

/**
 * True if an answer holds a call written as text, which is never run (spec: prompting, "Input as
 * models really send it"): a marker of some template, or nothing but a JSON object that names a tool.
 */
export function writesCallAsText(text: string, tools: readonly ToolSpec[]): boolean {
  if (tools.length === 0) return false;
  const outsideFences = text.replace(/```[\s\S]*?```/g, '');
  if (markers.test(outsideFences)) return true;
  const fenced = /^\s*```(?:json|tool_code|tool_call)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text);
  return namesTool(fenced?.[1] ?? text, tools);
}
