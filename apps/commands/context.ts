import { jsonText } from '../../domain/text/json-text.ts';
import type { PromptPart } from '../../domain/prompt/system-prompt.ts';
import type { ToolSpec } from '../../ports/provider.ts';
import { contextSize, type ContextSize } from './context-size.ts';

/** What `larik context` was asked, and what a fresh context here would hold. */
export interface ContextRequest {
  tools: readonly ToolSpec[];
  /** Of the system prompt, as `systemPrompt` gives them. */
  parts: readonly PromptPart[];
  json: boolean;
}

function table(size: ContextSize): string {
  const rows: [string, number][] = [
    ...size.parts.map(({ name, bytes }): [string, number] => [name, bytes]),
    ['tools together', size.tools],
    ['system prompt together', size.system],
    ['total', size.total],
  ];
  const name = Math.max(...rows.map(([text]) => text.length));
  const number = Math.max(...rows.map(([, bytes]) => String(bytes).length));
  return rows
    .map(([text, bytes]) => `${text.padEnd(name)}  ${String(bytes).padStart(number)} bytes\n`)
    .join('');
}

/** `larik context [--json]`: the bytes of each part of a fresh context; sends nothing. Returns the exit code. */
export function contextCommand(request: ContextRequest, io: { stdout(text: string): void }): number {
  const size = contextSize(request.tools, request.parts);
  io.stdout(request.json ? `${jsonText(size)}\n` : table(size));
  return 0;
}
