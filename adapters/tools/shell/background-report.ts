import type { BackgroundOutput, ToolResult } from '../../../plugins/sdk/index.ts';
import { commandText, whereItIs } from './command-text.ts';
import { noteBytes } from './limits.ts';
import { refusedHint } from './sandbox-hint.ts';

/** What a background command is at and has printed since it was last asked. */
export function backgroundReport(id: string, output: BackgroundOutput, limit: number): ToolResult {
  const state = describe(output);
  const skipped = output.omitted === 0 ? '' : `\n${older(output)}`;
  const { file, fileBytes, refusedHosts: refused = [] } = output;
  const hint = refused.length === 0 ? '' : `\n${refusedHint(refused)}`;
  const kept = {
    head: output.text,
    tail: '',
    omitted: 0,
    file,
    ...(fileBytes === undefined ? {} : { fileBytes }),
  };
  const text = commandText(kept, Math.max(0, limit - noteBytes - hint.length));
  const body = text.trim() === '' ? '; no new output' : `${skipped}\n${text}`;
  return { content: `${id}: ${state}${hint === '' ? body : body.trimEnd()}${hint}` };
}

function older(output: BackgroundOutput): string {
  const { omitted, file } = output;
  return file === null
    ? `[… ${omitted} older bytes are lost …]`
    : `[… ${omitted} older bytes left out; ${whereItIs(output)} …]`;
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
