import { errorText, isPortError, PortError, toldText } from '../ports/errors.ts';
import type { AgentEvent, QueuedPrompt } from '../ports/event.ts';
import type { PermissionAnswer, SessionUsage, UndoPlan } from '../ports/frontend.ts';
import type { ImageBlock } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import type { CommandResult } from '../ports/process.ts';
import type { Effort } from '../ports/provider.ts';
import type { Limits, RunSettings } from '../ports/settings.ts';
import { compactOnDemand } from './context/compaction.ts';
import { modelNamed, nextModel } from './fallback.ts';
import { Checkpoints, type Direction } from './files/checkpoints.ts';
import { FreshnessRecord } from './files/freshness.ts';
import { guardFiles, noteCommands, untilAborted } from './files/guards.ts';
import { filesRestored } from './prompt/notes.ts';
import { autoNeedsModel, mayChoose } from './authorize/mode-choice.ts';
import { Questions } from './authorize/questions.ts';
import { nothingSaid, type Restored } from './conversation/restore.ts';
import { initialState } from './initial-state.ts';
import type { AgentOptions, AgentPorts, AgentState, Asked, Run, TurnOutcome } from './scope.ts';
import { askForTitle, cleanTitle } from './title.ts';
import { cutShort, runTurn } from './turn.ts';
import { runUserCommand } from './user-command.ts';
import { broughtBack } from './files/undo-plan.ts';

/**
 * What a part of a turn comes to. Whatever goes wrong ends the turn, and is told unless `known` by now; that
 * it was interrupted goes without saying.
 */
async function* told(
  run: Run,
  part: AsyncGenerator<AgentEvent, TurnOutcome>,
  known?: string,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  try {
    return yield* part;
  } catch (error) {
    if (run.signal.aborted && error === run.signal.reason) return cutShort(run);
    const isProvider = isPortError(error, 'provider');
    const text = isProvider ? toldText(error) : errorText(error);
    const { kind, facts } = isProvider ? error : { kind: 'internal' as const, facts: { retryable: false } };
    if (text !== known) yield { type: 'error', kind, text, retryable: facts.retryable };
    return { end: 'error', reason: text };
  }
}

/**
 * One conversation: takes prompts, yields events, owns its state (spec: agent-loop). One turn at a
 * time. It knows no front end, no vendor and no disk; all it needs comes in as ports.
 */
export class Agent {
  private readonly surroundings: Omit<Run, 'signal'>;
  private readonly state: AgentState;
  private running = false;
  /** Something happened beside the run that its reader is to hear of at once. */
  private told = false;
  private wake: () => void = () => undefined;

  constructor(
    ports: AgentPorts,
    options: AgentOptions,
    settings: RunSettings,
    restored: Restored = { ...nothingSaid(), toldMode: settings.mode },
  ) {
    const state = initialState(ports, options, settings, restored);
    const checkpoints = new Checkpoints(ports.checkpoints, ports.files, options, ports.trees);
    this.state = state;
    this.surroundings = {
      ports,
      options,
      state,
      questions: new Questions(),
      freshness: new FreshnessRecord(restored.seen),
      checkpoints,
      files: guardFiles(ports.files, {
        place: options,
        hidden: options.hidden,
        own: options.own,
        rules: () => state.rules,
        checkpoints,
      }),
      processes: noteCommands(ports.processes, {
        checkpoints,
        files: ports.files,
        parser: ports.parser,
        tell: (text) => state.pending.push({ type: 'notice', level: 'warning', code: 'undo', text }),
      }),
    };
  }

  /**
   * Runs one turn, and after it those that were queued as follow-ups. The last event is `done`, once.
   * Aborting the signal, or leaving the iteration, interrupts it cleanly; the abort's reason
   * `'timeout'` says that a time limit did it. `material` goes along with the prompt, such as what was
   * piped in; mentions in it are not followed. `images` stand right behind the text.
   */
  prompt(
    text: string,
    signal: AbortSignal,
    material = '',
    images: readonly ImageBlock[] = [],
  ): AsyncGenerator<AgentEvent, void> {
    return this.alone(signal, (run) => this.run({ text, material, images }, run));
  }

  /**
   * Replaces the conversation by its summary, as `/compact` does; `focus` is what the user wants kept
   * above all. Events end with `done`, as those of a prompt do. Works on a conversation of any state.
   */
  compact(signal: AbortSignal, focus = ''): AsyncGenerator<AgentEvent, void> {
    return this.alone(signal, (run) => this.summarise(run, focus));
  }

  /** Runs what nothing else may run beside, to its end even if its reader leaves early. */
  private async *alone(
    signal: AbortSignal,
    work: (run: Run) => AsyncGenerator<AgentEvent, void>,
  ): AsyncGenerator<AgentEvent, void> {
    this.mustBeIdle();
    this.running = true;
    const abort = new AbortController();
    const follow = (): void => abort.abort(signal.reason);
    if (signal.aborted) follow();
    signal.addEventListener('abort', follow, { once: true });
    const files = untilAborted(this.surroundings.files, abort.signal);
    const events = work({ ...this.surroundings, files, signal: abort.signal });
    // What happened before waits for the turn to begin.
    this.told = false;
    let upcoming = events.next();
    try {
      for (let isOver = false; ;) {
        if (this.told && !isOver) yield* this.drained();
        const next: IteratorResult<AgentEvent, void> | null = await (isOver
          ? upcoming
          : Promise.race([upcoming, this.woken()]));
        if (next === null) continue;
        if (next.done === true) break;
        // `done` stays the last; what comes after it waits for the next turn.
        isOver = next.value.type === 'done';
        yield next.value;
        upcoming = events.next();
      }
    } finally {
      // A reader that left early gets the same clean end as one who pressed Ctrl-C.
      abort.abort('interrupted');
      try {
        for (let rest = await upcoming; rest.done !== true; rest = await events.next());
      } finally {
        signal.removeEventListener('abort', follow);
        this.running = false;
      }
    }
  }

  private *drained(): Generator<AgentEvent, void> {
    this.told = false;
    yield* this.state.pending.splice(0);
  }

  /** Resolves once there is something to tell. Each time another promise, or a long wait would gather readers. */
  private woken(): Promise<null> {
    return new Promise((resolve) => {
      this.wake = () => resolve(null);
    });
  }

  /** Tells the reader of a run at once, however long its step takes, and without one that of the next. */
  private tell(event: AgentEvent): void {
    this.state.pending.push(event);
    this.told = true;
    this.wake();
  }

  /** What would change the conversation or its files under a turn is an error of the caller. */
  private mustBeIdle(): void {
    if (this.running)
      throw new Error('a turn is running; interrupt it first, or queue a prompt with steer()');
  }

  private async *run(asked: Asked, run: Run): AsyncGenerator<AgentEvent, void> {
    const { state, signal } = run;
    let outcome: TurnOutcome;
    let prompt: Asked | undefined = asked;
    do {
      const ended = yield* told(run, runTurn(run, prompt));
      outcome = yield* told(run, this.close(ended), ended.reason);
      // Steering that is still there came too late for the turn, and becomes one too.
      const next: QueuedPrompt | undefined = state.queue[0];
      const goesOn = next !== undefined && outcome.end === 'end_turn' && !signal.aborted;
      prompt = goesOn ? { text: next.text, material: '', images: [] } : undefined;
      if (goesOn) {
        state.queue = state.queue.filter((item) => item !== next);
        yield { type: 'queue', items: state.queue };
      }
    } while (prompt !== undefined);
    yield this.done(outcome);
  }

  private done({ end, reason }: TurnOutcome): AgentEvent {
    const { spent: usage, costUsd: cost_usd } = this.state;
    return { type: 'done', stop_reason: end, usage, cost_usd, ...(reason === undefined ? {} : { reason }) };
  }

  private async *summarise(run: Run, focus: string): AsyncGenerator<AgentEvent, void> {
    const outcome = yield* told(run, compactOnDemand(run, focus));
    yield this.done(outcome);
  }

  /** Notes the end of a turn in the session. */
  private async *close(outcome: TurnOutcome): AsyncGenerator<AgentEvent, TurnOutcome> {
    const { checkpoints, ports } = this.surroundings;
    const { log } = ports;
    const notice = await checkpoints.end();
    if (notice !== null) yield { type: 'notice', level: 'warning', code: 'undo', text: notice };
    await log.append({ type: 'turn', n: this.state.turn, phase: 'end', stop_reason: outcome.end });
    await log.sync();
    yield* this.state.pending.splice(0);
    return outcome;
  }

  /** Queues a prompt: `steering` goes with the next tool results, `follow_up` after the turn. */
  steer(text: string, kind: QueuedPrompt['kind']): void {
    this.setQueue([...this.state.queue, { id: `queued-${this.surroundings.ports.ids.hex(8)}`, text, kind }]);
  }

  /** Changes a queued prompt, or with null drops it. */
  requeue(id: string, text: string | null): void {
    const { queue } = this.state;
    this.setQueue(
      text === null
        ? queue.filter((item) => item.id !== id)
        : queue.map((item) => (item.id === id ? { ...item, text } : item)),
    );
  }

  private setQueue(queue: QueuedPrompt[]): void {
    this.state.queue = queue;
    this.tell({ type: 'queue', items: queue });
  }

  queued(): readonly QueuedPrompt[] {
    return this.state.queue;
  }

  /**
   * Runs a command of the user's own as the model's run, sandboxed and kept for an undo; the model hears of
   * it with the next prompt. Throws only `PortError<'process'>`, also while a turn runs.
   */
  async shell(
    command: string,
    signal: AbortSignal,
    onOutput: (text: string) => void,
  ): Promise<CommandResult> {
    if (this.running) {
      const text = 'a turn is running; interrupt it first, or wait for its end';
      throw new PortError('process', 'io', text, {});
    }
    this.running = true;
    try {
      return await runUserCommand({ ...this.surroundings, signal }, command, onOutput);
    } finally {
      this.running = false;
    }
  }

  /** Settles a permission request; false if none waits under this id. */
  answer(requestId: string, answer: PermissionAnswer): boolean {
    return this.surroundings.questions.answer(requestId, answer);
  }

  /** The settings that the next request will use. */
  get settings(): RunSettings {
    return this.state.settings;
  }

  /** Throws `PortError<'settings'>` for a mode that the settings do not let one choose. */
  setMode(mode: Mode): void {
    if (!mayChoose(this.state.settings, mode))
      throw new PortError('settings', 'invalid', autoNeedsModel, { key: 'mode' });
    const from = this.state.settings.mode;
    if (mode === from) return;
    this.state.settings = { ...this.state.settings, mode };
    this.tell({ type: 'mode_changed', mode, from });
  }

  /** Throws `PortError<'provider'>` if there is no such model. */
  setModel(model: string): void {
    const ref = modelNamed(this.surroundings.ports.models, model);
    const from = this.state.fallback ?? this.state.settings.model;
    this.state.settings = { ...this.state.settings, model: ref };
    this.state.fallback = null;
    const effort = this.state.settings.effort ?? null;
    this.tell({ type: 'model_changed', model: ref, effort, from });
  }

  /** Null: as the model does it unasked. */
  setEffort(effort: Effort | null): void {
    const { effort: before = null, ...rest } = this.state.settings;
    if (effort === before) return;
    this.state.settings = effort === null ? rest : { ...rest, effort };
    const model = this.state.fallback ?? rest.model;
    this.tell({ type: 'model_changed', model, effort, from: model });
  }

  /** Holds from the next request on, for the rest of this run. */
  setLimits(limits: Partial<Limits>): void {
    const { settings } = this.state;
    this.state.settings = { ...settings, limits: { ...settings.limits, ...limits } };
    // Of another budget most may be spent as well.
    if (limits.budgetUsd !== undefined) this.state.toldOfBudget = false;
  }

  /** What the session has used so far. */
  spent(): SessionUsage {
    const { total, costUsd, used } = this.state;
    return { total, costUsd, contextTokens: used, contextWindow: this.contextWindow() };
  }

  private contextWindow(): number | null {
    try {
      return nextModel(this.surroundings).info.contextWindow;
    } catch (error) {
      // Such as one whose key is missing by now: the next prompt says so.
      if (isPortError(error, 'provider')) return null;
      throw error;
    }
  }

  /**
   * Names the session and gives the name back; without a text the model is asked for one. Empty if none
   * came about: before the first answer, or with the budget used up. Throws `PortError<'provider'>`.
   */
  async setTitle(signal: AbortSignal, text?: string): Promise<string> {
    this.mustBeIdle();
    this.running = true;
    try {
      const run = { ...this.surroundings, signal };
      const title = text === undefined ? await askForTitle(run) : cleanTitle(text);
      if (title !== '') await run.ports.log.append({ type: 'title', title });
      return title;
    } finally {
      this.running = false;
    }
  }

  planUndo(): Promise<UndoPlan> {
    return this.surroundings.checkpoints.plan('undo');
  }

  planRedo(): Promise<UndoPlan> {
    return this.surroundings.checkpoints.plan('redo');
  }

  /** Takes back the latest turn that changed files; the model hears of it with the next prompt. */
  undo(force: boolean): Promise<UndoPlan> {
    return this.restore('undo', force);
  }

  redo(force: boolean): Promise<UndoPlan> {
    return this.restore('redo', force);
  }

  private async restore(direction: Direction, force: boolean): Promise<UndoPlan> {
    this.mustBeIdle();
    const { checkpoints, ports, state } = this.surroundings;
    const plan = await checkpoints.carryOut(direction, force);
    if (plan.turn === null) return plan;
    const paths = broughtBack(plan);
    const redo = direction === 'redo';
    await ports.log.append({ type: 'undo', turn: plan.turn, ...(redo ? { redo } : {}), paths });
    state.notes.push(filesRestored(redo, paths));
    return plan;
  }

  /** The next prompt begins a fresh context in the same session. */
  clear(): void {
    this.mustBeIdle();
    this.state.messages = [];
    this.state.cleared ||= this.state.context !== null;
    this.state.context = null;
    this.state.notes = [];
    this.state.prompts = [];
    this.state.used = null;
    this.state.compactFrom = 0;
    this.state.justCompacted = false;
  }
}
