import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import { builtinTools } from '../../../adapters/tools/builtin.ts';
import { ToolBench } from '../../../plugins/testing/index.ts';
import type { ToolContext, ToolResult } from '../../../ports/tool.ts';

/** A temporary project with the real tools over the real system. */
export class Project {
  readonly bench: ToolBench;

  constructor(
    readonly root: string,
    readonly processes: LocalProcesses,
  ) {
    this.bench = new ToolBench({ files: new LocalFiles(), processes, cwd: root });
  }

  at(path: string): string {
    return join(this.root, path);
  }

  async put(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
    await fs.mkdir(join(this.at(path), '..'), { recursive: true });
    await fs.writeFile(this.at(path), content);
    if (mode !== undefined) await fs.chmod(this.at(path), mode);
  }

  text(path: string): Promise<string> {
    return fs.readFile(this.at(path), 'utf8');
  }

  bytes(path: string): Promise<Buffer> {
    return fs.readFile(this.at(path));
  }

  async call(name: string, input: unknown, changed: Partial<ToolContext> = {}): Promise<ToolResult> {
    const tool = builtinTools.find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return this.bench.call(tool, input, changed);
  }

  /** Writes a file and reads it with the tool, so that it may be changed. */
  async seen(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
    await this.put(path, content, mode);
    const result = await this.call('read', { path });
    if (result.isError) throw new Error(result.content);
  }

  async edit(path: string, old: string, fresh: string, all?: boolean): Promise<ToolResult> {
    const change = { path, old_string: old, new_string: fresh };
    return this.call('edit', all === undefined ? change : { ...change, replace_all: all });
  }
}

/** One project for each test of a file. */
export function project(): () => Project {
  let current: Project | undefined;
  beforeEach(async () => {
    const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'larik-tools-')));
    current = new Project(root, new LocalProcesses({ outputFolder: `${root}-output` }));
  });
  afterEach(async () => {
    await current?.processes.dispose();
    await fs.rm(current?.root ?? '', { recursive: true, force: true });
  });
  return () => {
    if (!current) throw new Error('outside a test');
    return current;
  };
}
