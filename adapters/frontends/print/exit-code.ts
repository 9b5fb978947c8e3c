import type { TurnEnd } from '../../../ports/session.ts';

/** The exit code that tells how a run ended (spec: cli, "Exit codes"). */
export function exitCode(end: TurnEnd, denied: boolean): number {
  switch (end) {
    case 'end_turn':
      return denied ? 3 : 0;
    case 'refusal':
    case 'blocked':
    case 'hook_stopped':
      return 3;
    case 'max_tokens':
    case 'max_steps':
    case 'budget':
    case 'timeout':
    case 'loop':
      return 4;
    case 'interrupted':
      return 130;
    case 'error':
      return 1;
    default:
      return end satisfies never;
  }
}
