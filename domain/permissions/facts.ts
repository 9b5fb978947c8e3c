import { isPortError } from '../../ports/errors.ts';
import type { ResolvedPath } from '../../ports/filesystem.ts';
import type { ToolEffect, ToolSubject } from '../../ports/tool.ts';
import type { AgentPorts } from '../scope.ts';
import { readBashLine, type BashLine } from './bash/bash-line.ts';
import { shownWords } from './bash/safe-list.ts';
import { resolveShown, type ShownFiles } from './bash/shown-files.ts';
import { findActs } from './guard/find-acts.ts';
import { lookUpActs, type GuardedAct } from './guard/guarded-acts.ts';
import type { Place } from './path-policy.ts';

/** A call as permissions see it; `input` has passed the tool's own check. */
export interface PermissionCall {
  tool: { name: string; effect: ToolEffect; subject?: ToolSubject };
  input: Record<string, unknown>;
}

/** What had to be looked up before deciding (spec: permissions, "Decide"). */
export interface Facts {
  /** `bash`: the line, taken apart. */
  line: BashLine | null;
  /** A tool whose subject is a path: where that leads; null if it could not be followed. */
  path: ResolvedPath | null;
  /** Files that a command of the safe list would show; null if there are none, or they are not known. */
  shown: ShownFiles | null;
  /** `bash`: what it would do that may be impossible to take back. */
  acts: readonly GuardedAct[];
}

/** Looks up what `decide` needs to know of this call. Throws nothing of its own. */
export async function gatherFacts(
  call: PermissionCall,
  ports: Pick<AgentPorts, 'files' | 'parser' | 'uncommitted'>,
  place: Place,
  signal?: AbortSignal,
): Promise<Facts> {
  const facts: Facts = { line: null, path: null, shown: null, acts: [] };
  try {
    if (call.tool.name === 'bash') {
      facts.line = readBashLine(subjectText(call), ports.parser);
      facts.acts = await lookUpActs(findActs(facts.line, place), ports, signal);
      const words = shownWords(facts.line);
      if (words !== null) facts.shown = await resolveShown(words, ports.files, place.cwd);
    } else if (call.tool.subject?.kind === 'path') {
      // A search that names no path is one of the working directory.
      facts.path = await ports.files.resolve(subjectText(call), place.cwd);
    }
  } catch (error) {
    // What cannot be looked up stays unknown, which `decide` takes for the worse.
    if (!isPortError(error, 'file')) throw error;
  }
  return facts;
}

/** What the rules of a call look at; empty if the tool names nothing or the call leaves it out. */
export function subjectText({ tool, input }: PermissionCall): string {
  const field = tool.name === 'bash' ? 'command' : tool.subject?.field;
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' ? value : '';
}
