import type { AgentEvent } from '../../ports/event.ts';
import type { AgentSession } from '../../ports/frontend.ts';
import type { ImageBlock } from '../../ports/message.ts';
import type { Theme } from './blessed/look/theme.ts';

/** A slash command as the palette and `/help` show it. */
export interface CommandRow {
  /** Without the slash. */
  name: string;
  about: string;
  /** What may stand behind it, such as `[MODEL]`. */
  argument?: string;
  /** Other names that the palette finds it by. */
  aliases?: readonly string[];
  /** Where it comes from, if it is not larik's own: a skill's or plugin's name. */
  source?: string;
  /** May be given while a turn runs. */
  whileRunning?: boolean;
}

/** One line of a list to choose from. */
export interface Choice {
  value: string;
  label: string;
  /** At the end of the row, muted. */
  detail?: string;
  /** What is in force now. */
  current?: boolean;
  /** Why it cannot be chosen. */
  disabled?: string;
  /** Rows of one group stand together under its name. */
  group?: string;
}

/**
 * Something to choose or to type, above the input. What was chosen or typed goes to `Host.choose` with
 * the dialog's id. Leaving it does nothing, unless `leave` names a value that is sent then.
 */
export interface Dialog {
  id: string;
  title: string;
  /** Markdown, above what is to be chosen. */
  text?: string;
  choices?: readonly Choice[];
  /** A line to type in place of choices; `masked` shows dots. */
  ask?: { label: string; masked?: boolean; initial?: string };
  /** Typing narrows the choices down. */
  filter?: boolean;
  /** Index of the choice that is marked at first; without it the current one. */
  selected?: number;
  /** Each choice is sent as it is marked, so that its effect can be seen: `Host.preview`. */
  previews?: boolean;
  leave?: string;
  /**
   * Sent to `Host.choose` as soon as the dialog is shown, which can be answered meanwhile: the dialog that
   * comes back, of the same id, takes its place unless it was answered or left before.
   */
  meanwhile?: string;
}

/** A session as the screen takes it over. */
export interface OpenedSession {
  session: AgentSession;
  /** What was said before, as the events that would have told it; empty for a new one. */
  history: readonly AgentEvent[];
  /** What goes into the input, as after a rewind. */
  input?: string;
  title?: string;
}

/** Settings that the screen itself follows. */
export interface ScreenSettings {
  theme: Theme | 'auto';
  /** Further themes by name. */
  themes: readonly Theme[];
  /** Actions to keys, as the settings have them. */
  keys: Readonly<Record<string, string | readonly string[]>>;
  mouse: boolean;
  /** Tells when a turn ends or a question waits while the terminal has no focus. */
  notifications: boolean;
}

/** What a command or a choice comes to. */
export type Outcome =
  | { type: 'nothing' }
  /** Shown in the conversation; the model does not see it. Markdown, or lines as they are. */
  | { type: 'text'; title: string; text: string; plain?: boolean }
  /** A short line that goes away again. */
  | { type: 'told'; text: string }
  | { type: 'problem'; text: string }
  | { type: 'dialog'; dialog: Dialog }
  /** Sent as if it had been typed. */
  | { type: 'prompt'; text: string }
  | { type: 'compact'; focus: string }
  /** The conversation begins anew on the screen. */
  | { type: 'cleared' }
  | { type: 'session'; opened: OpenedSession }
  | { type: 'settings'; settings: ScreenSettings }
  /** Mode, model, effort or limits of the session changed; the status line reads them again. */
  | { type: 'changed'; text?: string }
  | { type: 'copied'; text: string; what: string }
  | { type: 'quit' };

/** What is known around the session, for footer and sidebar; what is unknown is absent. */
export interface Surroundings {
  cwd: string;
  /** The folder as people write it, `~/src/larik`. */
  folder: string;
  branch?: string;
  /** Where commands run: `bubblewrap`, `none`, … and a word about it. */
  sandbox?: { name: string; works: boolean; network: boolean };
  recording: boolean;
  version: string;
}

export interface ShellOutcome {
  exitCode: number | null;
  output: string;
  sandboxed: boolean;
  durationMs: number;
}

/**
 * What the screen asks of the program around it: all that is neither the session's nor the terminal's.
 * Nothing of it rejects but with an `Error` whose message can be shown; every call ends soon after its
 * signal aborts.
 */
export interface Host {
  /** Commands of which the feature exists. */
  commands(): readonly CommandRow[];
  /** `session` is null while none is open: then only what needs none can run, such as `connect`. */
  run(name: string, argument: string, session: AgentSession | null, signal: AbortSignal): Promise<Outcome>;
  /** What was chosen or typed in a dialog. */
  choose(dialog: string, value: string, session: AgentSession | null, signal: AbortSignal): Promise<Outcome>;
  /** What the user can do about a session that could not be opened, and opening is tried anew then; null: nothing. */
  unopened(error: unknown): Promise<Dialog | null>;
  /** The look while a choice is marked; null is as it was before. */
  preview(dialog: string, value: string | null): ScreenSettings | null;
  settings(): ScreenSettings;
  /** Paths for `@`, best first, relative to the working folder; folders end with a slash. */
  files(query: string, signal: AbortSignal): Promise<readonly string[]>;
  /** A command of the user's own (`!`), run where the model's run; the model hears of it. */
  shell(
    command: string,
    session: AgentSession,
    signal: AbortSignal,
    onOutput: (text: string) => void,
  ): Promise<ShellOutcome>;
  /** Prompts of this project, oldest first. */
  history(): Promise<readonly string[]>;
  remember(prompt: string): void;
  /** Lets the user write in `$VISUAL` or `$EDITOR`; the terminal is theirs meanwhile. */
  edit(text: string): Promise<string>;
  /** The picture on the clipboard; null where there is none. */
  clipboardImage(signal: AbortSignal): Promise<ImageBlock | null>;
  /** True: another program took it. False: the terminal is to be asked (OSC 52). */
  copy(text: string): Promise<boolean>;
  /** The picture that a dropped path names; null if it is none. */
  imageFile(path: string): Promise<ImageBlock | null>;
  /** One line of the user's status-line command; null without one. Input is Claude Code's format. */
  statusLine(facts: StatusFacts, signal: AbortSignal): Promise<string | null>;
  surroundings(signal: AbortSignal): Promise<Surroundings>;
}

/** What a status-line command is told of the session. */
export interface StatusFacts {
  session: string;
  transcript: string | null;
  cwd: string;
  model: string;
  costUsd: number | null;
  durationMs: number;
  contextTokens: number | null;
  contextWindow: number | null;
  mode: string;
}
