import type { Clock, Ids } from '../ports/clock.ts';
import type { CheckpointStore } from '../ports/checkpoint.ts';
import type { Content } from '../ports/content.ts';
import type { AgentEvent, QueuedPrompt } from '../ports/event.ts';
import type { FileSystem } from '../ports/filesystem.ts';
import type { ToolHooks } from '../ports/hooks.ts';
import type { Http } from '../ports/http.ts';
import type { Images } from '../ports/images.ts';
import type { ImageBlock, Message, Usage } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import type { Models } from '../ports/models.ts';
import type { ProcessRunner } from '../ports/process.ts';
import type { ToolSpec } from '../ports/provider.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { SessionLog, TurnEnd } from '../ports/session.ts';
import type { RunSettings, SavedRules } from '../ports/settings.ts';
import type { ShellParser } from '../ports/shell-parser.ts';
import type { Tool } from '../ports/tool.ts';
import type { UncommittedWork } from '../ports/uncommitted-work.ts';
import type { WorkTrees } from '../ports/work-trees.ts';
import type { Checkpoints } from './files/checkpoints.ts';
import type { Repairs } from './conversation/healing.ts';
import type { FreshnessRecord } from './files/freshness.ts';
import type { Place } from './permissions/path-policy.ts';
import type { Rules } from './permissions/rules.ts';
import type { EnvironmentFacts } from './prompt/environment.ts';
import type { Questions } from './authorize/questions.ts';

/** All that an agent reaches the world through. */
export interface AgentPorts {
  models: Models;
  log: SessionLog;
  files: FileSystem;
  processes: ProcessRunner;
  http: Http;
  /** Absent: pictures that are too large are refused. */
  images?: Images;
  checkpoints: CheckpointStore;
  /** Absent: the project is in no git repository. */
  trees?: WorkTrees;
  /** Absent: what a repository holds that no commit does is not known. */
  uncommitted?: UncommittedWork;
  content: Content;
  parser: ShellParser;
  sandbox: Sandbox;
  clock: Clock;
  ids: Ids;
  tools: readonly Tool[];
  /** Absent: there are no hooks. */
  hooks?: ToolHooks;
  /** Absent: a rule that is added holds for the session only. */
  savedRules?: SavedRules;
}

/** What holds for an agent's whole life. */
export interface AgentOptions extends Place {
  /** For the `<env>` block; the day is added when a context begins. */
  environment: Omit<EnvironmentFacts, 'date'>;
  systemAppend?: string;
  /** Folders that no tool shows anything of. */
  hidden: readonly string[];
  /** Folders that no tool writes to. */
  own: readonly string[];
  /** A subagent's label; the main agent has none. */
  label?: string;
  /** Told to the user when the first turn begins. */
  notices: readonly string[];
  /** Likewise, before those and as warnings; default none. */
  warnings?: readonly string[];
}

/** One agent's state, plain data; only `turn` and what it calls change it. */
export interface AgentState {
  /** The conversation of the current context, valid at every moment. */
  messages: Message[];
  /** What every request of this context begins with; null until the first prompt. */
  context: { system: string; tools: ToolSpec[] } | null;
  /** The user wanted the next context to begin afresh. */
  cleared: boolean;
  /** Number of the latest turn. */
  turn: number;
  /** Said to the model before the next user message. */
  notes: string[];
  queue: QueuedPrompt[];
  /** The user's latest prompts as they were typed, oldest first. */
  prompts: readonly string[];
  /** Usage of the whole session, and of the current turn. */
  total: Usage;
  spent: Usage;
  /** USD of the session; null once a price was not known. And of what had a price. */
  costUsd: number | null;
  pricedUsd: number;
  /** The mode that the model was last told of, and the model that the session last noted. */
  toldMode: Mode;
  notedModel: string;
  /** What was last asked in place of the session's own model; null where that was itself. */
  fallback: string | null;
  /** Events that happened outside a run, or that nobody could yield when they did. */
  pending: AgentEvent[];
  settings: RunSettings;
  rules: Rules;
  /** Tokens that the context held after its last request; null where the provider did not say. */
  used: number | null;
  /** Tokens below which a compaction was of no use before, and is not tried again. */
  compactFrom: number;
  /** What a compaction has brought is not known yet: no request was made since. */
  justCompacted: boolean;
  /** In this turn a compaction failed, or made room after an overflow: the next overflow is an error. */
  roomMade: boolean;
  /** The user has been told that most of the budget is spent. */
  toldOfBudget: boolean;
  repairs: Repairs;
  /** Models of which the user was told that they see no pictures. */
  blindTold: Set<string>;
}

/** A turn's surroundings: handed down through all that takes part in it. */
export interface Run {
  ports: AgentPorts;
  options: AgentOptions;
  state: AgentState;
  questions: Questions;
  freshness: FreshnessRecord;
  checkpoints: Checkpoints;
  /** The files that tools get: path policy, deny rules and checkpoints applied. */
  files: FileSystem;
  /** The processes that tools get: what they change is kept for an undo. */
  processes: ProcessRunner;
  signal: AbortSignal;
}

/** What a turn begins with. */
export interface Asked {
  /** As it was typed. */
  text: string;
  /** What goes along, such as what was piped in; mentions in it are not followed. */
  material: string;
  images: readonly ImageBlock[];
}

/** How a turn ended, and in words where the name alone does not say it. */
export interface TurnOutcome {
  end: TurnEnd;
  reason?: string;
}
