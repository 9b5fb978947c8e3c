import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { uncommittedWork } from '../../../adapters/git/uncommitted-work.ts';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { decide, type Decision, type Policy } from '../../../domain/permissions/decide.ts';
import { gatherFacts, type Facts, type PermissionCall } from '../../../domain/permissions/facts.ts';
import { parseRules } from '../../../domain/permissions/rules.ts';
import { isInside } from '../../../domain/text/path-text.ts';
import type { FileSystem } from '../../../ports/filesystem.ts';
import type { UncommittedWork } from '../../../ports/uncommitted-work.ts';
import type { PermissionCase } from './permission-case.ts';
import { temporaryProject, type TemporaryProject } from './temporary-project.ts';
import { toolMetadata } from './tool-metadata.ts';

/** Decides a call as the agent would, without running anything. */
export async function decideCall(
  call: PermissionCall,
  files: FileSystem,
  policy: Policy,
  uncommitted: UncommittedWork = uncommittedWork,
): Promise<{ decision: Decision; facts: Facts }> {
  const facts = await gatherFacts(call, { files, parser: unbashParser, uncommitted }, policy);
  return { decision: decide(call, facts, policy), facts };
}

/** Decides cases, each in a temporary project; those that set up no files share one. */
export class CaseDecider {
  readonly #files: FileSystem;
  readonly #uncommitted: UncommittedWork | undefined;
  #shared: TemporaryProject | undefined;

  /** `uncommitted` says what would be lost in place of the real repository. */
  constructor(files: FileSystem, uncommitted?: UncommittedWork) {
    this.#files = files;
    this.#uncommitted = uncommitted;
  }

  /** Throws an error that says what is wrong with the case. */
  async decide(one: PermissionCase): Promise<Decision> {
    if (one.files === undefined && one.cwd === undefined) {
      this.#shared ??= await temporaryProject();
      return this.#decideIn(one, this.#shared.path);
    }
    const project = await temporaryProject(one.files);
    try {
      return await this.#decideIn(one, project.path);
    } finally {
      await project.remove();
    }
  }

  async dispose(): Promise<void> {
    await this.#shared?.remove();
    this.#shared = undefined;
  }

  async #decideIn(one: PermissionCase, project: string): Promise<Decision> {
    const cwd = join(project, one.cwd ?? '.');
    if (!isInside(cwd, project)) throw new Error(`cwd: ${relative(project, cwd)} lies outside the project`);
    const sources = (texts: string[]) => texts.map((text) => ({ text }));
    const { allow, ask, deny } = one.rules;
    const parsed = parseRules({ allow: sources(allow), ask: sources(ask), deny: sources(deny) });
    const [problem] = parsed.problems;
    if (problem !== undefined) throw new Error(problem.text);
    const call = {
      tool: toolMetadata(one.tool),
      input: placed(one.input, project) as Record<string, unknown>,
    };
    const place = { cwd, project, home: homedir() };
    const policy = { ...place, mode: one.mode, rules: parsed.rules, sandboxed: one.sandbox, guard: true };
    return (await decideCall(call, this.#files, policy, this.#uncommitted)).decision;
  }
}

/** `{{project}}` stands for the project's path, wherever it is written. */
function placed(value: unknown, project: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{{project}}', () => project);
  if (Array.isArray(value)) return value.map((item) => placed(item, project));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item, project)]));
}
