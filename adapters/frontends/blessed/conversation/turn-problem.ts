import type { AgentEvent } from '../../../../ports/event.ts';
import type { NewBlock } from './thread.ts';

type ErrorKind = Extract<AgentEvent, { type: 'error' }>['kind'];
type Done = Extract<AgentEvent, { type: 'done' }>;

/** What helps against an error of the model's provider. */
export function nextAfterError(kind: ErrorKind, retryable: boolean): string {
  switch (kind) {
    case 'auth':
    case 'permission':
      return '/connect checks or changes the key; /model takes another model.';
    case 'quota':
      return '/model takes a model of another provider; or wait until the quota returns.';
    case 'rate_limit':
    case 'overloaded':
      return 'Wait a little, then send "go on"; /model takes another model.';
    case 'not_found':
    case 'unsupported':
      return '/model takes another model.';
    case 'context_overflow':
    case 'request_too_large':
      return '/compact makes room; /clear begins anew.';
    case 'content_blocked':
      return 'Say it in other words, or /undo the last turn; /model takes another model.';
    case 'server':
    case 'stream_cut':
    case 'stalled':
    case 'bad_generation':
    case 'stale_reasoning':
    case 'invalid_request':
    case 'internal':
      return retryable
        ? 'Send "go on" to try again; /model takes another model.'
        : 'Send "go on" to try again, or /model to take another model.';
    default:
      return kind satisfies never;
  }
}

/** What is shown of a turn's end; null if it ended well, or if an error has told it already. */
export function endBlock({ stop_reason: end, reason }: Done): NewBlock | null {
  const problem = (text: string, next: string): NewBlock => ({ type: 'problem', kind: end, text, next });
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  switch (end) {
    case 'end_turn':
      return null;
    case 'interrupted':
      return { type: 'notice', level: 'info', code: 'interrupted', text: 'Interrupted. What next?' };
    case 'max_steps':
      return problem(
        `Stopped${because || ': the limit of steps is reached'}.`,
        'Send "go on" to continue from here.',
      );
    case 'budget':
      return problem(
        `Stopped${because || ': the budget is used up'}.`,
        'Raise limits.budget_usd in /config, then send "go on".',
      );
    case 'timeout':
      return problem('Stopped: the time limit was reached.', 'Send "go on" to continue from here.');
    case 'loop':
      return problem(`Stopped${because || ': it went in circles'}.`, 'Say what to do differently.');
    case 'refusal':
      return problem('The model declined to answer.', 'Say it in other words; /model takes another model.');
    case 'max_tokens':
      return problem(
        'The answer reached the output limit and was cut off.',
        'Send "go on" to have the rest.',
      );
    case 'blocked':
      return problem(`The prompt was blocked by a hook${because}.`, 'Press up to change it.');
    case 'hook_stopped':
      return problem(`A hook ended the turn${because}.`, 'Send "go on" to continue.');
    case 'error':
      return problem(reason ?? 'The turn ended with an error.', 'Send "go on" to try again.');
    default:
      return end satisfies never;
  }
}
