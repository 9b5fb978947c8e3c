import { oneLine } from '../../domain/text/one-line.ts';
import { cleanTerminalText } from '../../domain/text/terminal/terminal-text.ts';
import type { AgentEvent } from '../../ports/event.ts';
import { callSubject } from './call-subject.ts';

/** One line of at most `length` characters that a terminal can show as it is. */
export function clip(text: string, length: number): string {
  const line = oneLine(text.trim());
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** A call in one line: the tool and what it is about. */
export function describeCall(name: string, input: unknown): string {
  const subject = callSubject(input);
  const tool = clip(name, 64);
  return subject === null ? tool : `${tool} ${clip(subject, 100)}`;
}

/** What to do often stands on a line of its own, or at the end. */
function noticeText(text: string): string {
  const lines = text.trim().split('\n').slice(0, 3);
  return lines.map((line) => clip(line, 1000)).join('\n');
}

const tokens = (count: number): string => count.toLocaleString('en-US');

/** What standard error says of an event; null if nothing. */
export function activityLine(event: AgentEvent): string | null {
  switch (event.type) {
    case 'tool_start':
      return `· ${describeCall(event.tool_name, event.input)}`;
    case 'tool_end':
      return event.is_error
        ? `  ${clip(event.tool_name, 64)}: ${clip(cleanTerminalText(event.output), 160)}`
        : null;
    case 'compacted':
      return `compacted: ${tokens(event.before_tokens)} → ${tokens(event.after_tokens)} tokens`;
    case 'notice':
      return event.level === 'info' ? noticeText(event.text) : `${event.level}: ${noticeText(event.text)}`;
    case 'mode_changed':
      return `mode: ${event.mode}`;
    case 'model_changed':
      return `model: ${clip(event.model, 100)}`;
    default:
      return null;
  }
}
