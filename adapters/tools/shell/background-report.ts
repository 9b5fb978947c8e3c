import type { BackgroundOutput, ToolResult } from '../../../plugins/sdk/index.ts';
import { commandText } from './command-text.ts';

/** What a background command is at and has printed since it was last asked. */
export function backgroundReport(id: string, output: BackgroundOutput, limit: number): ToolResult {
  const state = describe(output);
  const skipped = output.omitted === 0 ? '' : `\n[${output.omitted} older bytes were not kept]`;
  const kept = { head: output.text, tail: '', omitted: 0, file: null };
  const text = commandText(kept, Math.max(0, limit - 200));
  const body = text.trim() === '' ? '; no new output' : `${skipped}\n${text}`;
  return { content: `${id}: ${state}${body}` };
}

function describe({ status, exitCode }: BackgroundOutput): string {
  switch (status) {
    case 'running':
      return 'running';
    case 'stopped':
      return 'stopped';
    case 'exited':
      return exitCode === null ? 'ended by a signal' : `ended, exit code ${exitCode}`;
    default: {
      const never: never = status;
      return never;
    }
  }
}
