import type { ReplyEvent } from '../http/protocol-provider.ts';
import { text } from '../wire/json.ts';
import type { SseEvent } from '../wire/sse.ts';

/** What an event is; some servers say it in its name only. */
export function typeOf({ json, event }: ReplyEvent): string {
  return text(json['type']) || (event ?? '');
}

/** The whole response as JSON, from a server that does not stream. */
export function isWhole(json: ReplyEvent['json']): boolean {
  const ended = /^(completed|incomplete)$/.test(text(json['status']));
  return ended && json['type'] === undefined && Array.isArray(json['output']);
}

/** An event, or a whole response, that says that the request failed. */
export function isFailure(event: ReplyEvent): boolean {
  const { json } = event;
  return (
    event.event === 'error' ||
    ['error', 'response.failed'].includes(typeOf(event)) ||
    (json['type'] === undefined && json['status'] === 'failed') ||
    Boolean(json['error'])
  );
}

/** The event after which nothing follows. */
export function isLast({ event, data }: SseEvent): boolean {
  // In what a model says the quotes are escaped, so its words are never taken for the type.
  return event === null
    ? /"type":\s*"response\.(completed|incomplete)"/.test(data)
    : /^response\.(completed|incomplete)$/.test(event);
}
