import { Agent } from '../domain/agent.ts';
import type { Restored } from '../domain/conversation/restore.ts';
import type { AgentOptions, AgentPorts } from '../domain/scope.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentEvent, QueuedPrompt, StampedEvent } from '../ports/event.ts';
import type { AgentSession, PermissionAnswer, SessionUsage, UndoPlan } from '../ports/frontend.ts';
import type { ImageBlock } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import type { CommandResult } from '../ports/process.ts';
import type { Effort } from '../ports/provider.ts';
import type { Limits, RunSettings } from '../ports/settings.ts';
import type { Tracer } from '../ports/tracer.ts';
import { redactedEvent } from './redacted-event.ts';

/** Events of which the record holds the whole: an answer, or a tool's result. */
const passing = new Set<AgentEvent['type']>([
  'text_delta',
  'thinking_delta',
  'tool_call_delta',
  'tool_progress',
]);

/**
 * One conversation as front ends hold it: the agent, its file, and the one place where events get
 * their session, number and time (spec: events).
 */
export class Session implements AgentSession {
  private readonly agent: Agent;
  private readonly clock: Clock;
  private seq = 0;

  constructor(
    private readonly ports: AgentPorts,
    options: AgentOptions,
    settings: RunSettings,
    restored?: Restored,
    /** Awaited by `dispose`, before the session's file is closed. */
    private readonly cleanup: () => Promise<void> = () => Promise.resolve(),
    /** Takes secrets out of a text. */
    private readonly redact: (text: string) => string = (text) => text,
    /** Records the events; absent unless asked for. */
    private readonly tracer?: Tracer,
  ) {
    this.clock = ports.clock;
    this.agent = new Agent(ports, options, settings, restored);
  }

  get id(): string {
    return this.ports.log.id;
  }

  get path(): string | null {
    return this.ports.log.path === '' ? null : this.ports.log.path;
  }

  private stamp(event: AgentEvent): StampedEvent {
    this.seq += 1;
    const redacted = redactedEvent(event, this.redact);
    const stamped = { ...redacted, session: this.id, seq: this.seq, time: this.clock.now() };
    if (!passing.has(event.type)) this.tracer?.record({ type: 'event', event: stamped });
    return stamped;
  }

  /** The events as they leave, with a word about a record that has broken off: `done` stays the last. */
  private async *stamped(events: AsyncIterable<AgentEvent>): AsyncGenerator<StampedEvent, void> {
    for await (const event of events) {
      const text = this.tracer?.problem() ?? null;
      if (text !== null) yield this.stamp({ type: 'notice', level: 'warning', code: 'trace', text });
      yield this.stamp(event);
    }
  }

  prompt(
    text: string,
    signal: AbortSignal,
    material = '',
    images: readonly ImageBlock[] = [],
  ): AsyncGenerator<StampedEvent, void> {
    return this.stamped(this.agent.prompt(text, signal, material, images));
  }

  compact(signal: AbortSignal, focus = ''): AsyncGenerator<StampedEvent, void> {
    return this.stamped(this.agent.compact(signal, focus));
  }

  steer(text: string, kind: QueuedPrompt['kind']): void {
    this.agent.steer(text, kind);
  }

  requeue(id: string, text: string | null): void {
    this.agent.requeue(id, text);
  }

  queued(): readonly QueuedPrompt[] {
    return this.agent.queued();
  }

  shell(command: string, signal: AbortSignal, onOutput: (text: string) => void): Promise<CommandResult> {
    return this.agent.shell(command, signal, onOutput);
  }

  answer(requestId: string, answer: PermissionAnswer): boolean {
    return this.agent.answer(requestId, answer);
  }

  setTitle(signal: AbortSignal, title?: string): Promise<string> {
    return this.agent.setTitle(signal, title);
  }

  planUndo(): Promise<UndoPlan> {
    return this.agent.planUndo();
  }

  planRedo(): Promise<UndoPlan> {
    return this.agent.planRedo();
  }

  undo(force: boolean): Promise<UndoPlan> {
    return this.agent.undo(force);
  }

  redo(force: boolean): Promise<UndoPlan> {
    return this.agent.redo(force);
  }

  settings(): RunSettings {
    return this.agent.settings;
  }

  setMode(mode: Mode): void {
    this.agent.setMode(mode);
  }

  setModel(model: string): void {
    this.agent.setModel(model);
  }

  setEffort(effort: Effort | null): void {
    this.agent.setEffort(effort);
  }

  setLimits(limits: Partial<Limits>): void {
    this.agent.setLimits(limits);
  }

  spent(): SessionUsage {
    return this.agent.spent();
  }

  async clear(): Promise<void> {
    this.agent.clear();
  }

  async dispose(): Promise<void> {
    try {
      await this.cleanup();
    } finally {
      await this.ports.log.close();
    }
  }
}
