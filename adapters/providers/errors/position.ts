import { PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Origin } from '../wire/replay.ts';

/** A place in a request's body, as a server names it; counted from 0. */
export interface Position {
  message: number;
  /** A part of its content. */
  part?: number;
  /** One of its calls, where these stand apart from the content. */
  call?: number;
}

/**
 * `messages.3.content.1`, `messages[3].tool_calls[0]`, `messages.[3]`, `["body","messages",3,"content"]`,
 * `GenerateContentRequest.contents[3].parts[1].function_response`, `input[3].output[1]`.
 */
const pattern =
  /\b(?:messages|contents|(?<!\.)input)(?:\.\[?|\[|['"],\s*)(\d+)\]?(?:(?:\.|,\s*['"]|\[['"])(content|parts|output|tool_calls)['"]?\]?(?:\.\[?|\[|,\s*)(\d+))?/;

function positionIn(text: string): Position | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const position: Position = { message: Number(found[1]) };
  if (found[2] === 'tool_calls') position.call = Number(found[3]);
  else if (found[2] !== undefined) position.part = Number(found[3]);
  return position;
}

/** The error, with the place that its text names translated to the messages that the loop gave. */
export function placed(
  error: ProviderError,
  origin: (position: Position) => Origin | null | undefined,
): ProviderError {
  const position = positionIn(error.message);
  const at = position === null ? null : origin(position);
  if (!at) return error;
  return new PortError('provider', error.kind, error.message, { ...error.facts, at });
}
