import type { AgentEvent, QueuedPrompt, StampedEvent } from '../../../../ports/event.ts';
import type { PermissionAnswer } from '../../../../ports/frontend.ts';
import type { ImageBlock } from '../../../../ports/message.ts';
import type { Mode } from '../../../../ports/mode.ts';
import type { Limits } from '../../../../ports/settings.ts';
import type { Completion } from '../completion/completion.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { DialogState } from '../dialogs/dialog-state.ts';
import type { Editor } from '../editor/editor.ts';
import type {
  CommandRow,
  Dialog,
  OpenedSession,
  Outcome,
  ScreenSettings,
  ShellOutcome,
  Surroundings,
} from '../../host.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { GoOn } from '../questions/go-on.ts';
import type { Question } from '../questions/question.ts';
import type { Input } from '../terminal/input.ts';

/** Cells. */
export interface Size {
  columns: number;
  rows: number;
}

/** What the status line, the footer and the sidebar show of the session. */
export interface Status {
  /** Null until the session is open. */
  session: string | null;
  title: string;
  model: string | null;
  effort: string | null;
  mode: Mode;
  costUsd: number | null;
  budgetUsd: number | null;
  /** Model requests in a turn. */
  maxSteps: number;
  contextTokens: number | null;
  contextWindow: number | null;
  /** Of the session, in tokens. */
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number };
  surroundings: Surroundings | null;
  /** Background tasks that run: id and label. */
  tasks: readonly { id: string; label: string }[];
  todos: readonly { text: string; state: 'pending' | 'in_progress' | 'completed' }[];
  /** Paths that the session's tools changed, in order of their first change. */
  changedFiles: readonly string[];
  /** Of the user's status-line command; sequences of colour only. */
  line: string | null;
}

/** What goes on: nothing, a turn (or a compaction), or a command of the host's. */
export type Activity =
  | { type: 'opening' }
  | { type: 'idle' }
  | { type: 'turn'; startedAt: number; stopping: boolean; outputTokens: number }
  | { type: 'busy'; label: string; startedAt: number };

/** All that the screen shows; the renderer adds nothing but the size of things. */
export interface View {
  size: Size;
  activity: Activity;
  conversation: Conversation;
  editor: Editor;
  completion: Completion | null;
  queue: readonly QueuedPrompt[];
  /** The first one is asked now. */
  questions: readonly Question[];
  /** Whether to go on past the budget or the step limit. */
  goOn: GoOn | null;
  dialog: DialogState | null;
  /** The list of keys and commands. */
  help: { scroll: number } | null;
  sidebar: boolean;
  status: Status;
  commands: readonly CommandRow[];
  keymap: Keymap;
  settings: ScreenSettings;
  focused: boolean;
  /** A short line in place of the hint, until a time. */
  told: { text: string; tone: 'muted' | 'warning' | 'error'; until: number } | null;
  /** Ctrl+c was pressed once, and a second within this time leaves. */
  leavingUntil: number;
}

/** What happens to a view. */
export type Action =
  | { type: 'input'; input: Input }
  | { type: 'event'; event: StampedEvent }
  /** What was said before a session was opened again. */
  | { type: 'history'; events: readonly AgentEvent[] }
  | { type: 'size'; size: Size }
  /** Time passes: of what is told, and of questions. */
  | { type: 'tick' }
  /** The view as it was before this action has reached the screen. */
  | { type: 'drawn' }
  | { type: 'prompts'; prompts: readonly string[] }
  | { type: 'files'; query: string; paths: readonly string[] }
  | { type: 'outcome'; outcome: Outcome }
  /** What a dialog lacked when it was shown. */
  | { type: 'completed'; dialog: Dialog }
  | { type: 'edited'; text: string }
  | { type: 'image'; image: ImageBlock | null }
  /** A path was dropped: the picture that it names, or what to type for it. */
  | { type: 'dropped'; text: string; image: ImageBlock | null }
  | { type: 'shell_started'; command: string }
  | { type: 'shell_output'; text: string }
  | { type: 'shell_done'; outcome: ShellOutcome | null; problem?: string }
  | { type: 'status'; status: Partial<Status> }
  | { type: 'queue'; items: readonly QueuedPrompt[] }
  | { type: 'activity'; activity: Activity }
  | { type: 'noticed'; level: 'info' | 'warning' | 'error'; text: string };

/** What the outside is to do. */
export type Effect =
  | { type: 'send'; text: string; images: readonly ImageBlock[] }
  | { type: 'steer'; text: string; kind: QueuedPrompt['kind'] }
  | { type: 'requeue'; id: string; text: string | null }
  | { type: 'interrupt' }
  | { type: 'answer'; requestId: string; answer: PermissionAnswer }
  | { type: 'command'; name: string; argument: string }
  | { type: 'choose'; dialog: string; value: string }
  | { type: 'preview'; dialog: string; value: string | null }
  /** Asks for what a dialog lacks yet. */
  | { type: 'complete'; dialog: string; value: string }
  /** Ends what a command or a dialog is at. */
  | { type: 'abandon' }
  | { type: 'shell'; command: string }
  | { type: 'find_files'; query: string }
  | { type: 'mode'; mode: Mode }
  | { type: 'edit'; text: string }
  | { type: 'clipboard_image' }
  /** `text` is what to type if it is no picture. */
  | { type: 'image_file'; path: string; text: string }
  /** Kept in the history of prompts. */
  | { type: 'remember'; prompt: string }
  | { type: 'copy'; text: string }
  | { type: 'notify'; text: string }
  | { type: 'settings'; settings: ScreenSettings }
  | { type: 'open'; opened: OpenedSession }
  /** The session's mode, model, effort or limits are to be read again. */
  | { type: 'refresh' }
  | { type: 'limits'; limits: Partial<Limits> }
  | { type: 'compact'; focus: string }
  | { type: 'suspend' }
  | { type: 'redraw' }
  | { type: 'quit' };

/** The next view, and what is to be done for it. */
export interface Step {
  view: View;
  effects: readonly Effect[];
}
