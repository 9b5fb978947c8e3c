import { noBlocks, type BlockList } from './block-list.ts';

/** What one block of the conversation shows. Blocks are values: a change makes a new one with the same id. */
export type Block =
  | PromptBlock
  | AnswerBlock
  | ThinkingBlock
  | CallBlock
  | AgentBlock
  | NoticeBlock
  | ProblemBlock
  | CompactedBlock
  | OutputBlock;

export interface PromptBlock {
  type: 'prompt';
  id: number;
  text: string;
  /** Pictures that went along. */
  images: number;
  /** It came while a turn ran. */
  steering: boolean;
}

export interface AnswerBlock {
  type: 'answer';
  id: number;
  /** Markdown. */
  text: string;
  streaming: boolean;
  /** While a long text streams: its end, which can be read without the whole of it being copied. */
  recent?: string;
}

export interface ThinkingBlock {
  type: 'thinking';
  id: number;
  text: string;
  /** While a long text streams: its end, which can be read without the whole of it being copied. */
  recent?: string;
  /** Milliseconds since 1970; null: from an earlier run. */
  startedAt: number | null;
  endedAt: number | null;
}

export type CallState =
  'writing' | 'waiting' | 'asked' | 'running' | 'done' | 'failed' | 'denied' | 'stopped';

export interface CallBlock {
  type: 'call';
  id: number;
  toolId: string;
  tool: string;
  input: unknown;
  /** The beginning of the input as it streamed, in JSON: what the call is about can be read from it. */
  written: string;
  state: CallState;
  /** What it printed while it ran, the last part. */
  live: string;
  /** The result, as the model gets it. */
  output: string;
  /** What the tool shows instead, such as a diff. */
  display: string | null;
  startedAt: number | null;
  durationMs: number | null;
  /** Of a denial: the reason. */
  note: string | null;
  /** The permission request that waits for an answer. */
  requestId: string | null;
  /** Subagents that it started. */
  agents: readonly AgentBlock[];
}

/** Blocks of one agent, and what of them may still change. */
export interface Thread {
  blocks: BlockList;
  /** Indices of the blocks that go on: what streams, runs or waits. */
  open: readonly number[];
  /** Why the call whose end comes next is not carried out. */
  refusal: string | null;
}

/** What a subagent does. It stands in the call that started it, or by itself where that is not known. */
export interface AgentBlock extends Thread {
  type: 'agent';
  id: number;
  label: string;
  running: boolean;
}

export interface NoticeBlock {
  type: 'notice';
  id: number;
  level: 'info' | 'warning' | 'error';
  text: string;
  code: string | null;
}

/** Why a turn ended other than well, and what to press next. */
export interface ProblemBlock {
  type: 'problem';
  id: number;
  kind: string;
  text: string;
  next: string;
}

export interface CompactedBlock {
  type: 'compacted';
  id: number;
  summary: string;
  beforeTokens: number;
  afterTokens: number;
}

/** What a slash command or a command of the user's own says; the model sees only the latter. */
export interface OutputBlock {
  type: 'output';
  id: number;
  title: string;
  text: string;
  /** While a long text comes: its end, which can be read without the whole of it being copied. */
  recent?: string;
  format: 'markdown' | 'plain';
  state: 'running' | 'done' | 'failed';
  /** How it ended, such as `exit code 1`. */
  ending: string | null;
}

/** What is at the top of the view; null follows the end. */
export interface Anchor {
  /** The id of a block. */
  block: number;
  /** Its row, from 0, that is the first to be shown; behind its last one is the blank row between blocks. */
  row: number;
}

export interface Conversation extends Thread {
  nextId: number;
  anchor: Anchor | null;
  /** Something came since the view stands still. */
  newBelow: boolean;
  /** Thinking and results in full (ctrl+o). */
  expanded: boolean;
}

export const emptyConversation: Conversation = {
  blocks: noBlocks,
  open: [],
  refusal: null,
  nextId: 1,
  anchor: null,
  newBelow: false,
  expanded: false,
};
