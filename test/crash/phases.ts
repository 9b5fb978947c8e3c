import { answers } from './scenario.ts';

/** What a run was at when it was killed, as far as it can be seen from outside. */
export const phases = [
  'before the first request',
  'while streaming',
  'in a command',
  'in a write',
  'in compaction',
  'between steps',
  'at the end',
] as const;
export type Phase = (typeof phases)[number];

interface Event {
  type: string;
  tool_id?: string;
  tool_name?: string;
}

/** Killed before a compaction was done, a session begins with it. */
export function asksForSummary(body = '{"messages":[]}'): boolean {
  const { messages } = JSON.parse(body) as { messages: { content: string | unknown[] }[] };
  // What was said before it may hold an earlier summary.
  const content = messages.at(-1)?.content ?? '';
  return JSON.stringify(typeof content === 'string' ? content : content.at(-1)).includes('<summary>');
}

/** The phase, from the events that the run had printed and the bodies of the requests it had made. */
export function phaseOf(events: readonly Event[], bodies: readonly string[]): Phase {
  if (bodies.length === 0) return 'before the first request';
  const said = events.filter(({ type }) => type === 'assistant_message').length;
  if (said >= answers) return 'at the end';
  const answered = said + events.filter(({ type }) => type === 'compacted').length;
  if (bodies.length > answered) return asksForSummary(bodies.at(-1)) ? 'in compaction' : 'while streaming';
  const ended = new Set(events.filter(({ type }) => type === 'tool_end').map((event) => event.tool_id));
  const running = events.find(({ type, tool_id: id }) => type === 'tool_start' && !ended.has(id));
  if (running === undefined || running.tool_name === 'read') return 'between steps';
  return running.tool_name === 'bash' ? 'in a command' : 'in a write';
}
