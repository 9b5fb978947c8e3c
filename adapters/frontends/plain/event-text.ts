import { cleanTerminalText } from '../../../domain/text/terminal/terminal-text.ts';
import type { AgentEvent } from '../../../ports/event.ts';
import { activityLine, clip } from '../activity.ts';

/** What a tool gave, in one line: its first one, and how many there are. */
function resultLine({
  tool_name: name,
  output,
  is_error: failed,
}: Extract<AgentEvent, { type: 'tool_end' }>) {
  const lines = cleanTerminalText(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first = 'no output'] = lines;
  const more = lines.length > 1 ? ` (${lines.length} lines)` : '';
  return `  ${clip(name, 64)}${failed ? ' failed' : ''}: ${clip(first, 160)}${more}`;
}

function endLine({ stop_reason: end, reason }: Extract<AgentEvent, { type: 'done' }>): string | null {
  switch (end) {
    case 'end_turn':
    case 'error':
      return null;
    case 'interrupted':
      return 'interrupted; type what to do instead';
    default:
      return `stopped (${end})${reason === undefined ? '' : `: ${clip(reason, 300)}`}; type to go on`;
  }
}

/** The line that tells of an event; null if none does. The text of answers is no part of it. */
export function eventLine(event: AgentEvent): string | null {
  switch (event.type) {
    case 'tool_end':
      return resultLine(event);
    case 'error':
      return `error: ${cleanTerminalText(event.text)}`;
    case 'model_changed':
      // Of the model itself nothing changed.
      if (event.model === event.from) return `effort: ${clip(event.effort ?? 'as the model does it', 40)}`;
      return activityLine(event);
    case 'task_started':
      return `task ${clip(event.label, 100)} began`;
    case 'task_done':
      return `task ${clip(event.label, 100)}: ${event.status}`;
    case 'done':
      return endLine(event);
    default:
      return activityLine(event);
  }
}

/** What an answer says to the reader. */
export function answerText({ message }: Extract<AgentEvent, { type: 'assistant_message' }>): string {
  return message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}
