import 'reflect-metadata';
import { version } from '../package.json';
import type { AgentSession } from '../ports/frontend.ts';
import type { Mode } from '../ports/mode.ts';
import type { Effort } from '../ports/provider.ts';
import type { Tool } from '../ports/tool.ts';

export type { AgentEvent, QueuedPrompt, StampedEvent } from '../ports/event.ts';
export type { AgentSession, FrontEnd, PermissionAnswer, UndoPlan, UndoStep } from '../ports/frontend.ts';
export type { Block, Message, StopReason, Usage } from '../ports/message.ts';
export type { Mode } from '../ports/mode.ts';
export type { Effort } from '../ports/provider.ts';
export type { TurnEnd } from '../ports/session.ts';
export type { Limits, RunSettings } from '../ports/settings.ts';
export type { Tool } from '../ports/tool.ts';

/** What a session is opened with; what is left out comes from the settings of the folder. */
export interface OpenOptions {
  /** Default: the process's working folder. */
  cwd?: string;
  model?: string;
  effort?: Effort;
  mode?: Mode;
  allow?: string[];
  deny?: string[];
  /** Goes on with this session; a unique beginning of its id will do. */
  resume?: string;
  /** Goes on in a copy of the session, of the latest one unless `resume` names it. */
  fork?: boolean;
  /** False: no session file is kept. */
  keep?: boolean;
  /** Records requests, answers, tools and questions beside the session's file. */
  debug?: boolean;
  /** Tools of your own, made with `defineTool` of `larik/plugin`. */
  tools?: readonly Tool[];
  /** Somebody answers permission requests. Default true. */
  interactive?: boolean;
}

/**
 * Opens a conversation to embed larik in another program: iterate `prompt`, answer every
 * `permission_request`, and `dispose` at the end. Throws an error whose text says what is wrong and
 * what to do: bad options, settings that must not be passed over, a session or model that is not there.
 */
export async function openSession(options: OpenOptions = {}): Promise<AgentSession> {
  const { openFolder } = await import('./folder/folder.ts');
  const { openSession: open } = await import('./open-session.ts');
  const { keep = true, interactive = true, tools = [], ...given } = options;
  const flags = { ...given, ...(keep ? {} : { 'no-session': true }) };
  const folder = await openFolder(flags);
  const fatal = folder.settings.problems.find((problem) => problem.fatal);
  if (fatal !== undefined) throw new Error(fatal.text);
  return open(folder, flags, { version, interactive, tools });
}
