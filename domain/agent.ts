import { errorText, isPortError } from '../ports/errors.ts';
import type { AgentEvent, QueuedPrompt } from '../ports/event.ts';
import type { PermissionAnswer, UndoPlan } from '../ports/frontend.ts';
import type { Mode } from '../ports/mode.ts';
import type { RunSettings } from '../ports/settings.ts';
import { noUsage } from './budget.ts';
import { Checkpoints } from './files/checkpoints.ts';
import { FreshnessRecord } from './files/freshness.ts';
import { guardFiles } from './files/guarded-files.ts';
import { noteCommands } from './files/noted-commands.ts';
import { parseRules } from './permissions/rules.ts';
import { redone, undone } from './prompt/notes.ts';
import { Questions } from './questions.ts';
import { resumeNotes, type Restored } from './conversation/restore.ts';
import type { AgentOptions, AgentPorts, AgentState, Run } from './scope.ts';
import { runTurn, type TurnOutcome } from './turn.ts';
import { broughtBack } from './files/undo-plan.ts';

/** The state of an agent that has said nothing yet, or goes on where a session file ends. */
function initialState(
  { ports, options }: { ports: AgentPorts; options: AgentOptions },
  settings: RunSettings,
  restored?: Restored,
): AgentState {
  const now = {
    date: ports.clock.today(),
    interactive: options.environment.interactive,
    tools: ports.tools.map((tool) => tool.spec.name),
  };
  return {
    messages: restored?.messages ?? [],
    context: restored?.context ?? null,
    turn: restored?.turn ?? 0,
    notes: [...(restored?.notes ?? []), ...(restored?.context ? resumeNotes(restored.context, now) : [])],
    queue: [],
    total: restored?.total ?? noUsage,
    spent: noUsage,
    costUsd: restored === undefined ? 0 : restored.costUsd,
    toldMode: restored?.toldMode ?? settings.mode,
    notedModel: restored?.model ?? settings.model,
    pending: options.notices.map((text) => ({ type: 'notice', level: 'info', text })),
    settings,
    rules: parseRules(settings.rules).rules,
  };
}

/** What a part of a turn comes to. Whatever goes wrong ends the turn, and is told unless `known` by now. */
async function* told(
  part: AsyncGenerator<AgentEvent, TurnOutcome>,
  known?: string,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  try {
    return yield* part;
  } catch (error) {
    const text = errorText(error);
    const { kind, facts } = isPortError(error, 'provider')
      ? error
      : { kind: 'internal' as const, facts: { retryable: false } };
    if (text !== known) yield { type: 'error', kind, text, retryable: facts.retryable };
    return { end: 'error', reason: text };
  }
}

/**
 * One conversation: takes prompts, yields events, owns its state (spec: agent-loop). One turn at a
 * time. It knows no front end, no vendor and no disk; all it needs comes in as ports.
 */
export class Agent {
  private readonly state: AgentState;
  private readonly questions = new Questions();
  private readonly freshness = new FreshnessRecord();
  private readonly checkpoints: Checkpoints;
  private readonly files: Run['files'];
  private readonly processes: Run['processes'];
  private running = false;

  constructor(
    private readonly ports: AgentPorts,
    private readonly options: AgentOptions,
    settings: RunSettings,
    restored?: Restored,
  ) {
    const place = { cwd: options.cwd, project: options.project, home: options.home };
    this.state = initialState({ ports, options }, settings, restored);
    this.freshness.restore(restored?.seen ?? {});
    this.checkpoints = new Checkpoints(ports.checkpoints, ports.files, place);
    this.processes = noteCommands(ports.processes, this.checkpoints);
    this.files = guardFiles(ports.files, {
      place,
      rules: () => this.state.rules,
      checkpoints: this.checkpoints,
    });
  }

  /**
   * Runs one turn, and after it those that were queued as follow-ups. The last event is `done`, once.
   * Aborting the signal, or leaving the iteration, interrupts it cleanly; the abort's reason
   * `'timeout'` says that a time limit did it.
   */
  async *prompt(text: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    this.mustBeIdle();
    this.running = true;
    const abort = new AbortController();
    const follow = (): void => abort.abort(signal.reason);
    if (signal.aborted) follow();
    signal.addEventListener('abort', follow, { once: true });
    const events = this.run(text, abort.signal);
    try {
      for (;;) {
        const next = await events.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      // A reader that left early gets the same clean end as one who pressed Ctrl-C.
      abort.abort('interrupted');
      while ((await events.next()).done !== true);
      signal.removeEventListener('abort', follow);
      this.running = false;
    }
  }

  /** What would change the conversation or its files under a turn is an error of the caller. */
  private mustBeIdle(): void {
    if (this.running)
      throw new Error('a turn is running; interrupt it first, or queue a prompt with steer()');
  }

  private async *run(text: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const { state } = this;
    const run: Run = {
      ports: this.ports,
      options: this.options,
      state,
      questions: this.questions,
      freshness: this.freshness,
      checkpoints: this.checkpoints,
      files: this.files,
      processes: this.processes,
      signal,
    };
    let outcome: TurnOutcome;
    let prompt: string | undefined = text;
    do {
      const ended = yield* told(runTurn(run, prompt));
      outcome = yield* told(this.close(ended), ended.reason);
      // Steering that is still there came too late for the turn, and becomes one too.
      const next: QueuedPrompt | undefined = state.queue[0];
      prompt = outcome.end === 'end_turn' && !signal.aborted ? next?.text : undefined;
      if (prompt !== undefined) {
        state.queue = state.queue.filter((item) => item !== next);
        yield { type: 'queue', items: state.queue };
      }
    } while (prompt !== undefined);
    yield {
      type: 'done',
      stop_reason: outcome.end,
      usage: state.spent,
      cost_usd: state.costUsd,
      ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    };
  }

  /** Notes the end of a turn in the session. */
  private async *close(outcome: TurnOutcome): AsyncGenerator<AgentEvent, TurnOutcome> {
    const { log } = this.ports;
    await log.append({ type: 'turn', n: this.state.turn, phase: 'end', stop_reason: outcome.end });
    await log.sync();
    yield* this.state.pending.splice(0);
    return outcome;
  }

  /** Queues a prompt: `steering` goes with the next tool results, `follow_up` after the turn. */
  steer(text: string, kind: QueuedPrompt['kind']): void {
    this.setQueue([...this.state.queue, { id: `queued-${this.ports.ids.hex(8)}`, text, kind }]);
  }

  /** Changes a queued prompt, or with null drops it. */
  requeue(id: string, text: string | null): void {
    const changed = this.state.queue.map((item) =>
      item.id === id && text !== null ? { ...item, text } : item,
    );
    this.setQueue(text === null ? changed.filter((item) => item.id !== id) : changed);
  }

  private setQueue(queue: QueuedPrompt[]): void {
    this.state.queue = queue;
    this.state.pending.push({ type: 'queue', items: queue });
  }

  /** Settles a permission request; false if none waits under this id. */
  answer(requestId: string, answer: PermissionAnswer): boolean {
    return this.questions.answer(requestId, answer);
  }

  /** The settings that the next request will use. */
  get settings(): RunSettings {
    return this.state.settings;
  }

  setMode(mode: Mode): void {
    const from = this.state.settings.mode;
    if (mode === from) return;
    this.state.settings = { ...this.state.settings, mode };
    this.state.pending.push({ type: 'mode_changed', mode, from });
  }

  /** Throws `PortError<'provider'>` if there is no such model. */
  setModel(model: string): void {
    const { info } = this.ports.models.resolve(model);
    const from = this.state.settings.model;
    this.state.settings = { ...this.state.settings, model: info.ref };
    const effort = this.state.settings.effort ?? null;
    this.state.pending.push({ type: 'model_changed', model: info.ref, effort, from });
  }

  planUndo(): Promise<UndoPlan> {
    return this.checkpoints.planUndo();
  }

  planRedo(): Promise<UndoPlan> {
    return this.checkpoints.planRedo();
  }

  /** Takes back the latest turn that changed files; the model hears of it with the next prompt. */
  async undo(force: boolean): Promise<UndoPlan> {
    this.mustBeIdle();
    const plan = await this.checkpoints.undo(force);
    await this.noteFiles(plan, undone, {});
    return plan;
  }

  async redo(force: boolean): Promise<UndoPlan> {
    this.mustBeIdle();
    const plan = await this.checkpoints.redo(force);
    await this.noteFiles(plan, redone, { redo: true });
    return plan;
  }

  private async noteFiles(
    plan: UndoPlan,
    note: (paths: string[]) => string,
    extra: { redo?: true },
  ): Promise<void> {
    if (plan.turn === null) return;
    const paths = broughtBack(plan);
    await this.ports.log.append({ type: 'undo', turn: plan.turn, ...extra, paths });
    this.state.notes.push(note(paths));
  }

  /** The next prompt begins a fresh context in the same session. */
  clear(): void {
    this.mustBeIdle();
    this.state.messages = [];
    this.state.context = null;
    this.state.notes = [];
  }
}
