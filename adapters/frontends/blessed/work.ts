import { errorText } from '../../../ports/errors.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import type { AgentSession } from '../../../ports/frontend.ts';
import type { Host, OpenedSession, Outcome } from '../host.ts';
import type { Action, Effect, View } from './view/view.ts';

/** What the work needs of the screen. */
export interface Screen {
  view(): View;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when what was dispatched so far is on the screen, with the milliseconds that drawing it took. */
  drawn(): Promise<number>;
}

/** Effects that the terminal has no part in. */
export type WorkEffect = Exclude<
  Effect,
  { type: 'suspend' | 'redraw' | 'notify' | 'settings' | 'preview' | 'edit' | 'copy' | 'quit' }
>;

/** A command that takes longer is shown as what goes on, in milliseconds. */
const noticeable = 150;

/**
 * What comes faster than it can be shown is taken in parts with a frame between them, so that keys are
 * heard meanwhile. A part takes so many milliseconds at most, and so much text that drawing it takes
 * about as long.
 */
const partTime = 5;
const frameTime = { least: 5, most: 10 };
/** UTF-16 units: at first, at least, at most. */
const partLength = { first: 256, least: 256, most: 16_384 };

/** How much of the text may come before the next frame, after one that took so many milliseconds. */
function nextLength(length: number, drawMs: number): number {
  if (drawMs > frameTime.most) return Math.max(partLength.least, length / 2);
  return drawMs < frameTime.least ? Math.min(partLength.most, length * 1.25) : length;
}

/** Text that an event adds to the screen. */
function textOf(event: StampedEvent): string {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_progress':
      return event.text;
    case 'tool_call_delta':
      return event.input_delta ?? '';
    default:
      return '';
  }
}

/** Events after which footer and status line are read anew. */
const telling: ReadonlySet<StampedEvent['type']> = new Set([
  'usage',
  'done',
  'mode_changed',
  'model_changed',
]);

/**
 * What the screen has done beside itself: turns of the session, commands and dialogs of the host's, paths
 * to complete. One turn and one command at a time; each ends by its own signal, and `end` awaits them all.
 */
export class Work {
  #session: AgentSession | null = null;
  readonly #opened: Promise<void>;
  #isOpen: () => void = () => undefined;
  /** Of the turn, of the command or dialog, of what a dialog lacks, and of the search for paths that go on. */
  #turn: AbortController | null = null;
  #task: AbortController | null = null;
  #completing: AbortController | null = null;
  #files: AbortController | null = null;
  readonly #whole = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #startedAt: number;

  constructor(
    private readonly host: Host,
    private readonly dispatch: (action: Action) => void,
    private readonly screen: Screen,
  ) {
    this.#startedAt = screen.now();
    this.#opened = new Promise((resolve) => {
      this.#isOpen = resolve;
    });
  }

  /** What can be looked up before a session is open. */
  begin(): void {
    this.#go(async () => this.dispatch({ type: 'prompts', prompts: await this.host.history() }));
    this.#lookAround();
  }

  /** The host is at a command or a dialog. */
  get isAsking(): boolean {
    return this.#task !== null;
  }

  /** Opens the first session and shows it; one that comes when larik was left is ended. Throws what opening throws. */
  async open(open: () => Promise<OpenedSession>): Promise<void> {
    const opening = open().then((opened) => this.take(opened));
    this.#track(opening.catch(() => undefined));
    await opening;
  }

  /** Shows this session from now on; the one before is ended. */
  async take(opened: OpenedSession): Promise<void> {
    if (this.#whole.signal.aborted) return opened.session.dispose();
    const before = this.#session;
    this.#session = opened.session;
    if (before !== null || opened.history.length > 0)
      this.dispatch({ type: 'history', events: opened.history });
    this.dispatch({ type: 'status', status: { session: opened.session.id, title: opened.title ?? '' } });
    // What was typed meanwhile has begun a turn already.
    if (this.screen.view().activity.type === 'opening')
      this.dispatch({ type: 'activity', activity: { type: 'idle' } });
    this.#refresh();
    this.#isOpen();
    await before?.dispose();
  }

  /** Ends all that goes on, and the session. */
  async end(): Promise<void> {
    this.#whole.abort('interrupted');
    for (const each of [this.#turn, this.#task, this.#completing, this.#files]) each?.abort('interrupted');
    this.#isOpen();
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#session?.dispose();
  }

  carryOut(effect: WorkEffect): void {
    switch (effect.type) {
      case 'send':
        this.#go(() =>
          this.#run((session, signal) => session.prompt(effect.text, signal, '', effect.images)),
        );
        return;
      case 'compact':
        this.#go(() => this.#run((session, signal) => session.compact(signal, effect.focus)));
        return;
      case 'steer':
        this.#withSession((session) => {
          session.steer(effect.text, effect.kind);
          this.dispatch({ type: 'queue', items: session.queued() });
        });
        return;
      case 'requeue':
        this.#withSession((session) => session.requeue(effect.id, effect.text));
        return;
      case 'interrupt':
        this.#turn?.abort('interrupted');
        return;
      case 'answer':
        this.#session?.answer(effect.requestId, effect.answer);
        return;
      case 'command':
        this.#go(() => this.command(effect.name, effect.argument));
        return;
      case 'choose':
        this.#go(() =>
          this.#ask((session, signal) => this.host.choose(effect.dialog, effect.value, session, signal)),
        );
        return;
      case 'complete':
        this.#go(() => this.#complete(effect.dialog, effect.value));
        return;
      case 'abandon':
        this.#task?.abort('interrupted');
        return;
      case 'shell':
        this.#go(() => this.#shell(effect.command));
        return;
      case 'find_files':
        this.#go(() => this.#findFiles(effect.query));
        return;
      case 'mode':
        this.#withSession((session) => session.setMode(effect.mode));
        return;
      case 'limits':
        this.#withSession((session) => session.setLimits(effect.limits));
        return;
      case 'refresh':
        this.#refresh();
        return;
      case 'clipboard_image':
        this.#go(async () =>
          this.dispatch({ type: 'image', image: await this.host.clipboardImage(this.#whole.signal) }),
        );
        return;
      case 'image_file':
        this.#go(async () =>
          this.dispatch({
            type: 'dropped',
            text: effect.text,
            image: await this.host.imageFile(effect.path),
          }),
        );
        return;
      case 'remember':
        this.host.remember(effect.prompt);
        return;
      case 'open':
        this.#go(() => this.take(effect.opened));
        return;
      default:
        return effect satisfies never;
    }
  }

  /** Runs a command of the host's, and shows what it comes to. */
  async command(name: string, argument: string): Promise<void> {
    await this.#ask((session, signal) => this.host.run(name, argument, session, signal), `/${name}`);
  }

  #fail(error: unknown): void {
    this.dispatch({ type: 'noticed', level: 'error', text: errorText(error) });
  }

  #go(work: () => Promise<void>): void {
    this.#track(work().catch((error: unknown) => this.#fail(error)));
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  #withSession(act: (session: AgentSession) => void): void {
    this.#go(async () => {
      const session = await this.#openedSession();
      if (session === null) return;
      act(session);
      this.#refresh();
    });
  }

  /** Null: larik is being left. */
  async #openedSession(): Promise<AgentSession | null> {
    await this.#opened;
    return this.#whole.signal.aborted ? null : this.#session;
  }

  async #run(
    start: (session: AgentSession, signal: AbortSignal) => AsyncIterable<StampedEvent>,
  ): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    const session = await this.#openedSession();
    if (session === null) return;
    let next: typeof start | null = start;
    try {
      while (next !== null) {
        await this.#takeAll(next(session, turn.signal));
        // What was typed while the turn came to its end.
        const [late] = turn.signal.aborted ? [] : session.queued();
        next = late === undefined ? null : (again, signal) => again.prompt(late.text, signal);
        if (late !== undefined) session.requeue(late.id, null);
      }
    } finally {
      this.#turn = null;
      this.dispatch({ type: 'activity', activity: { type: 'idle' } });
      this.#refresh();
      this.#lookAround();
    }
  }

  async #takeAll(events: AsyncIterable<StampedEvent>): Promise<void> {
    let since = this.screen.now();
    let length = 0;
    let most: number = partLength.first;
    for await (const event of events) {
      this.#take(event);
      length += textOf(event).length;
      if (length < most && Math.abs(this.screen.now() - since) < partTime) continue;
      most = nextLength(most, await this.screen.drawn());
      since = this.screen.now();
      length = 0;
    }
  }

  #take(event: StampedEvent): void {
    this.dispatch({ type: 'event', event });
    if (telling.has(event.type)) this.#statusLine();
  }

  /** What the host says, shown; but for what was abandoned meanwhile. */
  async #ask(
    ask: (session: AgentSession | null, signal: AbortSignal) => Promise<Outcome>,
    label?: string,
  ): Promise<void> {
    this.#task?.abort('interrupted');
    this.#completing?.abort('interrupted');
    const task = new AbortController();
    this.#task = task;
    const timer = setTimeout(() => {
      if (label !== undefined && !task.signal.aborted && this.screen.view().activity.type === 'idle')
        this.dispatch({ type: 'activity', activity: { type: 'busy', label, startedAt: this.screen.now() } });
    }, noticeable);
    let outcome: Outcome;
    try {
      outcome = await ask(this.#session, task.signal);
    } catch (error) {
      outcome = { type: 'problem', text: errorText(error) };
    } finally {
      clearTimeout(timer);
    }
    const isLatest = this.#task === task;
    if (isLatest) this.#task = null;
    if (!task.signal.aborted) return this.dispatch({ type: 'outcome', outcome });
    // A dialog that it came from can be answered anew; what has taken its place goes on.
    if (outcome.type === 'session') await outcome.opened.session.dispose();
    if (isLatest && this.screen.view().activity.type === 'busy')
      this.dispatch({ type: 'activity', activity: { type: 'idle' } });
  }

  /** What a dialog lacks, shown if that is still asked. */
  async #complete(id: string, value: string): Promise<void> {
    this.#completing?.abort('replaced');
    const completing = new AbortController();
    this.#completing = completing;
    const outcome = await this.host.choose(id, value, this.#session, completing.signal);
    if (outcome.type === 'dialog' && !completing.signal.aborted)
      this.dispatch({ type: 'completed', dialog: outcome.dialog });
  }

  async #shell(command: string): Promise<void> {
    const session = await this.#openedSession();
    if (session === null) return;
    const task = new AbortController();
    this.#task = task;
    this.dispatch({ type: 'shell_started', command });
    try {
      const outcome = await this.host.shell(command, session, task.signal, (text) =>
        this.dispatch({ type: 'shell_output', text }),
      );
      this.dispatch({ type: 'shell_done', outcome });
    } catch (error) {
      this.dispatch({ type: 'shell_done', outcome: null, problem: errorText(error) });
    } finally {
      if (this.#task === task) this.#task = null;
    }
  }

  async #findFiles(query: string): Promise<void> {
    this.#files?.abort('replaced');
    const files = new AbortController();
    this.#files = files;
    const paths = await this.host.files(query, files.signal);
    if (!files.signal.aborted) this.dispatch({ type: 'files', query, paths });
  }

  /** Reads mode, model and what was used from the session. */
  #refresh(): void {
    const session = this.#session;
    if (session === null) return;
    const { mode, model, effort, limits } = session.settings();
    const { total, costUsd, contextTokens, contextWindow } = session.spent();
    this.dispatch({
      type: 'status',
      status: {
        mode,
        model,
        effort: effort ?? null,
        budgetUsd: limits.budgetUsd,
        maxSteps: limits.maxSteps,
        usage: total,
        costUsd,
        contextTokens,
        contextWindow,
      },
    });
    this.#statusLine();
  }

  #lookAround(): void {
    this.#go(async () => {
      const surroundings = await this.host.surroundings(this.#whole.signal);
      this.dispatch({ type: 'status', status: { surroundings } });
      this.#statusLine();
    });
  }

  #statusLine(): void {
    const session = this.#session;
    const { status } = this.screen.view();
    if (session === null || status.surroundings === null) return;
    const facts = {
      session: session.id,
      transcript: session.path,
      cwd: status.surroundings.cwd,
      model: status.model ?? '',
      costUsd: status.costUsd,
      durationMs: this.screen.now() - this.#startedAt,
      contextTokens: status.contextTokens,
      contextWindow: status.contextWindow,
      mode: status.mode,
    };
    this.#go(async () => {
      const shown = await this.host.statusLine(facts, this.#whole.signal);
      if (shown !== this.screen.view().status.line)
        this.dispatch({ type: 'status', status: { line: shown } });
    });
  }
}
