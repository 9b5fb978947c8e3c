import type { Mode } from '../../ports/mode.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { Http } from '../../ports/http.ts';
import type { ProcessRunner } from '../../ports/process.ts';
import type { Freshness, Tool, ToolContext, ToolResult } from '../../ports/tool.ts';
import { fakeHttp } from './fakes/fake-http.ts';
import { fakeProcesses } from './fakes/fake-processes.ts';
import { memoryFiles } from './memory-files.ts';

export interface ToolBenchOptions {
  files?: FileSystem;
  processes?: ProcessRunner;
  http?: Http;
  cwd?: string;
  project?: string;
  mode?: Mode;
  outputLimit?: number;
  commandTimeout?: number;
  signal?: AbortSignal;
}

/** A freshness record in a map. */
export function fakeFreshness(): Freshness {
  const known = new Map<string, string>();
  return {
    async saw(path, hash) {
      known.set(path, hash);
    },
    async check(path, hash) {
      const seen = known.get(path);
      if (seen === undefined) return 'not_read';
      return seen === hash ? 'fresh' : 'changed';
    },
  };
}

/** Calls tools as the loop does, over fakes unless told otherwise; the working directory is `/p`. */
export class ToolBench {
  /** Live output of all calls. */
  readonly progress: string[] = [];
  readonly context: ToolContext;

  constructor(options: ToolBenchOptions = {}) {
    const cwd = options.cwd ?? '/p';
    this.context = {
      cwd,
      project: options.project ?? cwd,
      callId: 'call_1',
      mode: options.mode ?? 'default',
      outputLimit: options.outputLimit ?? 30_000,
      commandTimeout: options.commandTimeout ?? 120,
      signal: options.signal ?? new AbortController().signal,
      files: options.files ?? memoryFiles().folder('/p'),
      processes: options.processes ?? fakeProcesses(),
      http: options.http ?? fakeHttp(),
      freshness: fakeFreshness(),
      progress: (text) => this.progress.push(text),
    };
  }

  /** Input that is not valid is a result as well. */
  async call(tool: Tool, input: unknown, changed: Partial<ToolContext> = {}): Promise<ToolResult> {
    const parsed = tool.parse(input);
    if (!parsed.ok) return { content: parsed.error, isError: true };
    return tool.run(parsed.input, { ...this.context, ...changed });
  }
}
