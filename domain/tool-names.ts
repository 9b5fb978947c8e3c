import type { Tool } from '../ports/tool.ts';

/**
 * The tool that a model means: by its name, or by it in another case or behind a prefix, as models
 * write it (`Bash`, `functions.read`). Null if it is none of these.
 */
export function findTool(tools: readonly Tool[], name: string): Tool | null {
  const exact = tools.find((tool) => tool.spec.name === name);
  if (exact !== undefined) return exact;
  const plain = name
    .replace(/^.*[.:/]/, '')
    .trim()
    .toLowerCase();
  return tools.find((tool) => tool.spec.name.toLowerCase() === plain) ?? null;
}
