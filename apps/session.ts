import { Agent } from '../domain/agent.ts';
import type { Restored } from '../domain/conversation/restore.ts';
import type { AgentOptions, AgentPorts } from '../domain/scope.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentEvent, QueuedPrompt, StampedEvent } from '../ports/event.ts';
import type { AgentSession, PermissionAnswer, UndoPlan } from '../ports/frontend.ts';
import type { Mode } from '../ports/mode.ts';
import type { RunSettings } from '../ports/settings.ts';
import { redactedEvent } from './redacted-event.ts';

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
    return { ...redactedEvent(event, this.redact), session: this.id, seq: this.seq, time: this.clock.now() };
  }

  async *prompt(text: string, signal: AbortSignal, material = ''): AsyncGenerator<StampedEvent, void> {
    for await (const event of this.agent.prompt(text, signal, material)) yield this.stamp(event);
  }

  async *compact(signal: AbortSignal, focus = ''): AsyncGenerator<StampedEvent, void> {
    for await (const event of this.agent.compact(signal, focus)) yield this.stamp(event);
  }

  steer(text: string, kind: QueuedPrompt['kind']): void {
    this.agent.steer(text, kind);
  }

  requeue(id: string, text: string | null): void {
    this.agent.requeue(id, text);
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
