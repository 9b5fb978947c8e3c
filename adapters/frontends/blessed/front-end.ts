import { errorText, isPortError, toldText } from '../../../ports/errors.ts';
import type { AgentSession, FrontEnd } from '../../../ports/frontend.ts';
import type { Host, OpenedSession, ScreenSettings } from '../host.ts';
import { submission } from './editor/submission.ts';
import { ConversationDrawing, isAnimated } from './conversation/viewport.ts';
import { keymapOf } from './keys/keymap.ts';
import { asciiGlyphs, unicodeGlyphs, type Look } from './look/glyphs.ts';
import { themeFor } from './look/theme-for.ts';
import { highlighter, loadHighlighter } from './markdown/highlight.ts';
import { warmUpMarkdown } from './markdown/warm-up.ts';
import { leavingLines } from './status/leaving.ts';
import { capabilitiesOf, type Capabilities } from './terminal/capabilities.ts';
import { hintKey } from './status/hint-key.ts';
import type { Line } from './text/line.ts';
import type { Input } from './terminal/input.ts';
import { windowTitle } from './status/title.ts';
import { paletteOf } from './terminal/palette.ts';
import { Terminal } from './terminal/terminal.ts';
import { frameOf } from './view/frame.ts';
import { initialView } from './view/initial-view.ts';
import { reduce, type Around } from './view/reduce.ts';
import type { Action, Effect, Status, View } from './view/view.ts';
import { Work } from './work.ts';

export interface BlessedOptions {
  host: Host;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  now(): number;
  /** Sent as soon as the session is open. */
  prompt?: string;
  /** What is known before a session is open, such as the model that the settings name. */
  known?: Partial<Status>;
  /** Nothing is configured: the user is asked what to connect to first. */
  firstStart?: boolean;
}

/** A frame at most so often, and the spinner's pace; milliseconds. */
const frameTime = 16;
const tickTime = 100;

/**
 * The full-screen UI (spec: tui): turns what happens into actions, the view into frames, and carries the
 * view's effects out. What it does beside the screen stands in `Work`.
 */
export class BlessedFrontEnd implements FrontEnd {
  readonly name = 'blessed';
  readonly #options: BlessedOptions;
  readonly #terminal: Terminal;
  readonly #capabilities: Capabilities;
  readonly #drawing = new ConversationDrawing();
  readonly #work: Work;
  readonly #keyProblems: readonly string[];
  readonly #expandKey: string | null;
  #view: View;
  #background: { red: number; green: number; blue: number } | null = null;
  #lastFrame = 0;
  /** Wait for the next frame. */
  #undrawn: ((drawMs: number) => void)[] = [];
  #title = '';
  #frame: NodeJS.Timeout | null = null;
  #tick: NodeJS.Timeout | null = null;
  #hasLeft = false;
  #leave: () => void = () => undefined;
  #dialogClosed: (() => void) | null = null;
  readonly #left: Promise<void> = new Promise((resolve) => {
    this.#leave = () => {
      this.#hasLeft = true;
      resolve();
    };
  });

  constructor(options: BlessedOptions) {
    this.#options = options;
    const { host, stdin, stdout, env } = options;
    this.#capabilities = capabilitiesOf(env);
    const settings = host.settings();
    const palette = paletteOf(this.#themeOf(settings), this.#capabilities);
    this.#terminal = new Terminal({ stdin, stdout, capabilities: this.#capabilities, palette });
    const { keymap, problems } = keymapOf(settings.keys);
    this.#keyProblems = problems;
    this.#expandKey = hintKey(keymap, 'expand');
    this.#view = initialView(this.#terminal.size(), settings, host.commands(), options.known, keymap);
    this.#work = new Work(host, (action) => this.#dispatch(action), {
      view: () => this.#view,
      now: options.now,
      drawn: () => this.#drawn(),
    });
  }

  /** Takes the terminal and shows the first frame, before anything else is looked at. */
  start(): void {
    const { settings } = this.#view;
    this.#terminal.open(
      {
        input: (input) => this.#input(input),
        size: (size) => this.#dispatch({ type: 'size', size }),
        closed: () => this.#leave(),
        leaving: () => this.#leavingLines(),
      },
      { mouse: settings.mouse },
    );
    for (const text of this.#keyProblems) this.#notice('warning', text);
    this.#draw();
    if (settings.theme === 'auto') this.#terminal.askBackground();
  }

  run(session: AgentSession, signal: AbortSignal): Promise<number> {
    return this.runOpening(() => Promise.resolve({ session, history: [] }), signal);
  }

  /**
   * Opens a session and shows it until the user leaves. What stands in the way of it is told, with what can
   * be done: another connection, a copy of a session that is in use. What nothing helps against ends the UI,
   * and is thrown.
   */
  async runOpening(open: () => Promise<OpenedSession>, signal: AbortSignal): Promise<number> {
    const leave = (): void => this.#leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      this.#work.begin();
      await Promise.race([this.#left, this.#opening(open)]);
      if (!signal.aborted) await this.#left;
    } finally {
      signal.removeEventListener('abort', leave);
      await this.#close();
    }
    return 0;
  }

  async #opening(open: () => Promise<OpenedSession>): Promise<void> {
    const { prompt, firstStart } = this.#options;
    // A turn from now on, as if it had been typed: it waits for the session.
    if (prompt !== undefined) this.#dispatch({ type: 'outcome', outcome: { type: 'prompt', text: prompt } });
    if (firstStart === true) await this.#connect();
    while (!this.#hasLeft) {
      try {
        await this.#work.open(open);
        return await warmUpMarkdown(this.#look());
      } catch (error) {
        await this.#unopened(error);
      }
    }
  }

  /** Resolves when something was done about what kept a session from being opened; throws it if nothing can be. */
  async #unopened(error: unknown): Promise<void> {
    if (isPortError(error, 'provider')) {
      this.#notice('error', toldText(error));
      return this.#connect();
    }
    const dialog = await this.#options.host.unopened(error);
    if (dialog === null) throw error;
    this.#dispatch({ type: 'outcome', outcome: { type: 'dialog', dialog } });
    await this.#closed();
  }

  /** Resolves when the user is through with the dialogs of `/connect`. */
  async #connect(): Promise<void> {
    await this.#work.command('connect', '');
    await this.#closed();
  }

  /** Resolves when no dialog is open, and the host is at none. */
  async #closed(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#dialogClosed = resolve;
    });
    this.#tellClosed();
    await Promise.race([closed, this.#left]);
  }

  #notice(level: 'warning' | 'error', text: string): void {
    this.#dispatch({ type: 'noticed', level, text });
  }

  async #close(): Promise<void> {
    if (this.#frame !== null) clearTimeout(this.#frame);
    if (this.#tick !== null) clearTimeout(this.#tick);
    // No frame comes any more: nothing may wait for one.
    this.#frame = null;
    this.#tellDrawn(0);
    this.#terminal.close();
    const { status, editor } = this.#view;
    // Larik ends by itself, or without a session to say it in: what was typed is found in the history.
    const typed = submission(editor).text;
    if (status.session === null && typed.trim() !== '') this.#options.host.remember(typed);
    this.#terminal.print(this.#leavingLines());
    await this.#work.end();
  }

  #leavingLines(): readonly Line[] {
    const { conversation, status } = this.#view;
    const { columns } = this.#terminal.size();
    return leavingLines(conversation.blocks, status.session, columns, this.#look());
  }

  #look(): Look {
    const glyphs = this.#capabilities.unicode ? unicodeGlyphs : asciiGlyphs;
    return { glyphs, now: this.#options.now(), expandKey: this.#expandKey };
  }

  #around(): Around {
    return { look: this.#look(), drawing: this.#drawing };
  }

  #input(input: Input): void {
    if (input.type === 'background') {
      this.#background = input;
      this.#applyLook(this.#view.settings);
      return;
    }
    this.#dispatch({ type: 'input', input });
  }

  #dispatch(action: Action): void {
    const { view, effects } = reduce(this.#view, action, this.#around());
    const changed = view !== this.#view;
    this.#view = view;
    for (const effect of effects) this.#carryOut(effect);
    if (changed) this.#schedule();
    this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#dialogClosed === null || this.#view.dialog !== null || this.#work.isAsking) return;
    this.#dialogClosed();
    this.#dialogClosed = null;
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'suspend':
        this.#terminal.suspend();
        return;
      case 'redraw':
        this.#terminal.redraw();
        return;
      case 'notify':
        if (!this.#view.focused && this.#view.settings.notifications) this.#terminal.notify(effect.text);
        return;
      case 'settings':
        this.#applyLook(effect.settings);
        this.#terminal.setMouse(effect.settings.mouse);
        return;
      case 'preview': {
        const look = this.#options.host.preview(effect.dialog, effect.value) ?? this.#view.settings;
        this.#applyLook(look);
        return;
      }
      case 'edit':
        void this.#edit(effect.text);
        return;
      case 'copy':
        void this.#copy(effect.text);
        return;
      case 'quit':
        this.#leave();
        return;
      default:
        this.#work.carryOut(effect);
    }
  }

  async #edit(text: string): Promise<void> {
    try {
      const edited = await this.#terminal.handOver(() => this.#options.host.edit(text));
      this.#dispatch({ type: 'edited', text: edited });
    } catch (error) {
      this.#notice('error', errorText(error));
    }
  }

  async #copy(text: string): Promise<void> {
    if (!(await this.#options.host.copy(text))) this.#terminal.copy(text);
  }

  #themeOf(settings: ScreenSettings): ReturnType<typeof themeFor> {
    const { env } = this.#options;
    return themeFor(settings.theme, settings.themes, this.#background, env['COLORFGBG']);
  }

  #applyLook(settings: ScreenSettings): void {
    this.#terminal.setPalette(paletteOf(this.#themeOf(settings), this.#capabilities));
    this.#schedule();
  }

  /** A frame soon, and not more often than the eye sees. */
  #schedule(): void {
    if (this.#frame !== null || this.#hasLeft) return;
    const wait = Math.max(0, this.#lastFrame + frameTime - this.#options.now());
    this.#frame = setTimeout(() => {
      this.#frame = null;
      this.#draw();
    }, wait);
  }

  #drawn(): Promise<number> {
    return new Promise((resolve) => {
      if (this.#frame === null) setImmediate(resolve, 0);
      else this.#undrawn.push(resolve);
    });
  }

  #tellDrawn(drawMs: number): void {
    // Not at once: keys that came meanwhile are heard first.
    for (const resolve of this.#undrawn.splice(0)) setImmediate(resolve, drawMs);
  }

  #draw(): void {
    this.#lastFrame = this.#options.now();
    this.#terminal.draw(frameOf(this.#view, this.#around()));
    this.#tellDrawn(this.#options.now() - this.#lastFrame);
    const title = windowTitle(this.#view);
    if (title !== this.#title) this.#terminal.setTitle(title);
    this.#title = title;
    const [question] = this.#view.questions;
    const { goOn } = this.#view;
    if (question?.shownAt === null || question?.endSeen === false || goOn?.shownAt === null)
      this.#dispatch({ type: 'drawn' });
    if (!highlighter.ready && this.#view.conversation.blocks.length > 0)
      void loadHighlighter().then(() => this.#schedule());
    this.#keepTime();
  }

  /** Time passes on the screen only where something shows it. */
  #keepTime(): void {
    if (this.#tick !== null || !this.#showsTime()) return;
    this.#tick = setTimeout(() => {
      this.#tick = null;
      this.#dispatch({ type: 'tick' });
      this.#schedule();
    }, tickTime);
  }

  #showsTime(): boolean {
    const { activity, told, dialog, conversation } = this.#view;
    const runs = activity.type === 'turn' || activity.type === 'busy';
    return (
      runs || told !== null || (dialog !== null && dialog.busySince !== null) || isAnimated(conversation)
    );
  }
}
