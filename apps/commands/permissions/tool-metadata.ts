import type { ToolEffect, ToolSubject } from '../../../ports/tool.ts';

/** What permissions need to know of a tool. */
export interface ToolMetadata {
  name: string;
  effect: ToolEffect;
  subject?: ToolSubject;
}

const reading = new Set(
  'read grep glob todo_write lsp skill task task_wait task_stop bash_output bash_stop raw_output list_mcp_resources read_mcp_resource tool_search run_code call_tool'.split(
    ' ',
  ),
);
const network = new Set(['web_fetch', 'web_search', 'browser_navigate']);

const subjects: Record<string, ToolSubject> = {
  bash: { field: 'command', kind: 'text' },
  read: { field: 'path', kind: 'path' },
  write: { field: 'path', kind: 'path' },
  edit: { field: 'path', kind: 'path' },
  multi_edit: { field: 'path', kind: 'path' },
  grep: { field: 'path', kind: 'path' },
  glob: { field: 'path', kind: 'path' },
  web_fetch: { field: 'url', kind: 'host' },
  browser_navigate: { field: 'url', kind: 'host' },
};

/**
 * Effect and subject of a tool by its name alone, so that calls can be judged without loading any tool
 * (spec: tools, "Effects"). A name that is not built in counts as one that writes.
 */
export function toolMetadata(name: string): ToolMetadata {
  const effect = reading.has(name) ? 'read' : network.has(name) ? 'network' : 'write';
  const subject = Object.hasOwn(subjects, name) ? subjects[name] : undefined;
  return { name, effect, ...(subject === undefined ? {} : { subject }) };
}
