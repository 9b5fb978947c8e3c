import { callInFull } from '../../../domain/text/terminal/call-in-full.ts';
import { visibleLine } from '../../../domain/text/terminal/visible-text.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import type { PermissionAnswer } from '../../../ports/frontend.ts';

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

function choices({ suggested_rule: rule }: Request): string[] {
  return [
    'y: yes, this once',
    ...(rule === null
      ? []
      : [`a: always; it saves the rule ${visibleLine(rule)} (another rule may stand behind the a)`]),
    'n: no; what stands behind the n is told to the model',
    's: no, and stop',
  ];
}

/** A permission question in words, with the exact input; `columns` is the width of the terminal. */
export function questionText(request: Request, columns: number): string {
  const { tool_name: tool, input, cwd, sandboxed, reason } = request;
  return [
    `Question: may ${visibleLine(tool)} run this?`,
    ...callInFull(input, columns).rows,
    `It runs in ${visibleLine(cwd)}, ${sandboxed ? 'inside' : 'outside'} the sandbox.`,
    `Asked because: ${visibleLine(reason)}`,
    ...choices(request),
  ].join('\n');
}

/** What a typed answer says; `stop` also ends the turn. Null: it is none. */
export function answerOf(typed: string, request: Request): (PermissionAnswer & { stop?: true }) | null {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(typed) ?? [];
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      // "yes, but …" is no plain yes.
      return rest === '' ? { allow: true } : null;
    case 'a':
    case 'always':
      if (request.suggested_rule === null) return null;
      return { allow: true, always: true, ...(rest === '' ? {} : { rule: rest }) };
    case 'n':
    case 'no':
      return { allow: false, ...(rest === '' ? {} : { reason: rest }) };
    case 's':
    case 'stop':
      return rest === '' ? { allow: false, stop: true } : null;
    default:
      return null;
  }
}
