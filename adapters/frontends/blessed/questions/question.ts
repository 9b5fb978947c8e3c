import type { StampedEvent } from '../../../../ports/event.ts';
import type { PermissionAnswer } from '../../../../ports/frontend.ts';
import type { Field } from '../text/field.ts';

export type PermissionRequest = Extract<StampedEvent, { type: 'permission_request' }>;

/** A permission request that waits (spec: tui, "Permission question"). */
export interface Question {
  request: PermissionRequest;
  /** When its first frame stood on the screen; null: not yet. Milliseconds. */
  shownAt: number | null;
  /** Keys before this time answer nothing; null: not shown yet. Milliseconds. */
  quietUntil: number | null;
  /** First row of its input that is shown. */
  scroll: number;
  /** The last row of the input was on the screen. */
  endSeen: boolean;
  /** What is typed: the rule for "always", or what the model is told on "no". */
  typing: ({ what: 'rule' | 'reason' } & Field) | null;
}

/** What became of a question: it goes on, or is answered; `stop`: and the turn is to end. */
export interface QuestionStep {
  question: Question;
  answer?: PermissionAnswer;
  stop?: boolean;
}

/** The room that a question has on the screen, in cells. */
export interface QuestionRoom {
  columns: number;
  mostRows: number;
}

/** The approval of a plan: `exit_plan_mode` is asked about for that alone. */
export function isPlan({ request }: Question): boolean {
  return request.tool_name === 'exit_plan_mode';
}
