import type { AgentEvent, StampedEvent } from '../../../ports/event.ts';
import type { AgentSession, FrontEnd, PermissionAnswer } from '../../../ports/frontend.ts';
import type { TestKit } from '../test-kit.ts';

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };

/** What a fake session saw of its front end. */
export interface SessionRecord {
  prompts: string[];
  answers: { id: string; answer: PermissionAnswer }[];
  /** The iteration was read to its end. */
  drained: boolean;
}

const request = (id: string): AgentEvent => ({
  type: 'permission_request',
  request_id: id,
  tool_id: 't',
  tool_name: 'bash',
  input: { command: 'make' },
  suggested_rule: 'bash(make*)',
  cwd: '/p',
  sandboxed: false,
  reason: 'no rule allows it',
});

/** A session that plays the given events, and waits at each question until it is answered. */
export function playedSession(events: readonly AgentEvent[]): {
  session: AgentSession;
  record: SessionRecord;
} {
  const record: SessionRecord = { prompts: [], answers: [], drained: false };
  const waiting = new Map<string, () => void>();
  const unused = (): never => {
    throw new Error('not part of what a front end must use');
  };
  async function* prompt(text: string, signal: AbortSignal): AsyncGenerator<StampedEvent> {
    record.prompts.push(text);
    let seq = 0;
    for (const event of events) {
      const answered =
        event.type === 'permission_request'
          ? new Promise<void>((resolve) => waiting.set(event.request_id, resolve))
          : null;
      yield { ...event, session: 's', seq: ++seq, time: 0 };
      if (signal.aborted) break;
      await answered;
    }
    record.drained = true;
  }
  const session: AgentSession = {
    id: 's',
    path: null,
    prompt,
    compact: unused,
    steer: unused,
    requeue: unused,
    queued: () => [],
    shell: unused,
    answer(id, answer) {
      record.answers.push({ id, answer });
      const settle = waiting.get(id);
      waiting.delete(id);
      settle?.();
      return settle !== undefined;
    },
    planUndo: unused,
    planRedo: unused,
    undo: unused,
    redo: unused,
    settings: unused,
    setMode: unused,
    setModel: unused,
    setEffort: unused,
    setLimits: unused,
    spent: () => ({ total: usage, costUsd: null, contextTokens: null, contextWindow: null }),
    setTitle: unused,
    clear: unused,
    dispose: () => Promise.resolve(),
  };
  return { session, record };
}

const done: AgentEvent = { type: 'done', stop_reason: 'end_turn', usage, cost_usd: 0 };

/**
 * The two duties of a front end (spec: events): it reads a prompt's events to the end, and answers
 * every permission request once. `make` gives a front end that prompts by itself and needs nobody.
 */
export function testFrontEnd(kit: TestKit, make: () => FrontEnd): void {
  const { describe, it, expect } = kit;
  describe('front end', () => {
    it('reads the events to the end', async () => {
      const { session, record } = playedSession([{ type: 'text_delta', text: 'hi' }, done]);
      await make().run(session, new AbortController().signal);
      expect(record.prompts.length).toBe(1);
      expect(record.drained).toBe(true);
    });

    it('answers every permission request exactly once', async () => {
      const { session, record } = playedSession([request('1'), request('2'), done]);
      await make().run(session, new AbortController().signal);
      expect(record.answers.map(({ id }) => id)).toEqual(['1', '2']);
    });

    it('gives an exit code', async () => {
      const { session } = playedSession([done]);
      expect(await make().run(session, new AbortController().signal)).toBe(0);
    });

    it('does not stumble over an event that it does not know', async () => {
      const strange = { type: 'from_the_future' } as unknown as AgentEvent;
      const { session, record } = playedSession([strange, done]);
      await make().run(session, new AbortController().signal);
      expect(record.drained).toBe(true);
    });
  });
}
