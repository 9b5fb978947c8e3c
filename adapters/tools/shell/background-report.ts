import type { BackgroundOutput, ToolResult } from '../../../plugins/sdk/index.ts';
import { commandText } from './command-text.ts';
import { noteBytes } from './limits.ts';

/** What a background command is at and has printed since it was last asked. */
export function backgroundReport(id: string, output: BackgroundOutput, limit: number): ToolResult {
  const state = describe(output);
  const skipped = output.omitted === 0 ? '' : `\n${older(output)}`;
  const kept = { head: output.text, tail: '', omitted: 0, file: output.file };
  const text = commandText(kept, Math.max(0, limit - noteBytes));
  const body = text.trim() === '' ? '; no new output' : `${skipped}\n${text}`;
  return { content: `${id}: ${state}${body}` };
}

function older({ omitted, file }: BackgroundOutput): string {
  return file === null
    ? `[… ${omitted} older bytes are lost …]`
    : `[… ${omitted} older bytes left out; all of it is in ${file}, for \`read\` or \`grep\` …]`;
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
