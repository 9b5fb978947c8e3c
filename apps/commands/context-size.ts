import type { PromptPart } from '../../domain/prompt/system-prompt.ts';
import { byteLength } from '../../domain/text/cut.ts';
import type { ToolSpec } from '../../ports/provider.ts';

/** What a fresh context holds, in bytes of UTF-8, in the order in which it is sent. */
export interface ContextSize {
  parts: PromptPart[];
  total: number;
  /** Of these the system prompt, and the tool definitions as JSON. */
  system: number;
  tools: number;
}

/** A tool's definition as JSON with its keys in one order, as far as larik decides it. */
export function toolJson({ name, description, inputSchema }: ToolSpec): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Bytes of each part of a context (spec: prompting, "Sizes"): tools by name, then the system prompt's parts. */
export function contextSize(tools: readonly ToolSpec[], system: readonly PromptPart[]): ContextSize {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  // Each with the comma or bracket that follows it in the list.
  const toolParts = sorted.map((tool) => ({
    name: `tool ${tool.name}`,
    bytes: byteLength(toolJson(tool)) + 1,
  }));
  const sum = (parts: readonly PromptPart[]): number => parts.reduce((total, { bytes }) => total + bytes, 0);
  return {
    parts: [...toolParts, ...system],
    total: sum(toolParts) + sum(system),
    system: sum(system),
    tools: sum(toolParts),
  };
}
