import type { AgentEvent } from '../ports/event.ts';

/** Bytes of one tool's waiting live output; older text gives way, since it is for the screen only. */
const progressKept = 65_536;

/**
 * Where tools that run side by side put their events, and the turn takes them out. Ends once it is
 * closed and drained.
 */
export class Channel implements AsyncIterable<AgentEvent> {
  private readonly waiting: AgentEvent[] = [];
  private wake: (() => void) | null = null;
  private closed = false;

  push(event: AgentEvent): void {
    const last = this.waiting.at(-1);
    // A slow reader must not make a fast command fill the memory: neighbours join.
    if (event.type === 'tool_progress' && last?.type === 'tool_progress' && last.tool_id === event.tool_id) {
      last.text = (last.text + event.text).slice(-progressKept);
    } else {
      this.waiting.push(event.type === 'tool_progress' ? { ...event } : event);
    }
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void> {
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) yield event;
      else if (this.closed) return;
      else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
        this.wake = null;
      }
    }
  }
}
