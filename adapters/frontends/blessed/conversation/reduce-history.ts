import type { AgentEvent } from '../../../../ports/event.ts';
import { emptyConversation, type Conversation } from './conversation.ts';
import { reduceThread, stopped } from './reduce-thread.ts';

/** The conversation of a session that is opened again: all that was said, and nothing that goes on. */
export function reduceHistory(events: readonly AgentEvent[]): Conversation {
  const told = events.reduce<Conversation>((all, event) => reduceThread(all, event, null), emptyConversation);
  return stopped(told, null);
}
