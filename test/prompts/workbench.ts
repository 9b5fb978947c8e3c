import { builtinTools } from '../../adapters/tools/builtin.ts';
import { FreshnessRecord } from '../../domain/files/freshness.ts';
import {
  fakeHttp,
  fakeProcesses,
  memoryFiles,
  type CommandScript,
  type FakeProcesses,
  type MemoryFiles,
} from '../../plugins/testing/index.ts';
import type { Mode } from '../../ports/mode.ts';
import type { ToolContext, ToolResult } from '../../ports/tool.ts';

/** The real tools over files in memory and scripted commands, in the folder /p. */
export class Workbench {
  readonly files: MemoryFiles;
  readonly processes: FakeProcesses;
  readonly freshness = new FreshnessRecord();
  mode: Mode = 'default';

  constructor(files: Record<string, string | Uint8Array> = {}, commands?: CommandScript) {
    const placed = Object.entries(files).map(([path, content]) => [`/p/${path}`, content] as const);
    this.files = memoryFiles(Object.fromEntries(placed)).folder('/p');
    this.processes = fakeProcesses(commands);
  }

  /** One call as the loop would make it: input that is not valid is a result as well. */
  async call(name: string, input: Record<string, unknown>, outputLimit = 30_000): Promise<ToolResult> {
    const tool = builtinTools.find(({ spec }) => spec.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = tool.parse(input);
    if (!parsed.ok) return { content: parsed.error, isError: true };
    const context: ToolContext = {
      cwd: '/p',
      project: '/p',
      callId: 'call_1',
      mode: this.mode,
      outputLimit,
      commandTimeout: 120,
      signal: new AbortController().signal,
      files: this.files,
      processes: this.processes,
      http: fakeHttp(),
      freshness: this.freshness,
      progress: () => undefined,
    };
    return tool.run(parsed.input, context);
  }

  /** The text of a call that must fail. */
  async error(name: string, input: Record<string, unknown>): Promise<string> {
    const { content, isError } = await this.call(name, input);
    if (isError !== true) throw new Error(`${name} did not fail: ${content}`);
    return content;
  }

  /** The text of a call that must succeed. */
  async done(name: string, input: Record<string, unknown>): Promise<string> {
    const { content, isError } = await this.call(name, input);
    if (isError === true) throw new Error(`${name} failed: ${content}`);
    return content;
  }
}
