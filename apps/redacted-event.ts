import type { AgentEvent } from '../ports/event.ts';

/**
 * An event without secrets in what larik says (spec: settings-and-trust, "More"). The conversation
 * itself is left as it is: what a tool read in a file is the model's to work with.
 */
export function redactedEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'error':
    case 'notice':
      return { ...event, text: redact(event.text) };
    case 'permission_request':
      return { ...event, reason: redact(event.reason) };
    case 'done':
      return event.reason === undefined ? event : { ...event, reason: redact(event.reason) };
    default:
      return event;
  }
}
