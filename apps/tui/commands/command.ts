import type { Dialog, Outcome, ScreenSettings } from '../../../adapters/frontends/host.ts';
import type { AgentSession } from '../../../ports/frontend.ts';
import type { Program } from '../program.ts';

/** What a command works with; `S` is null in place of a session while none is open. */
export interface Asked<S = AgentSession> {
  /** What stands behind its name, without blanks around it. */
  argument: string;
  session: S;
  program: Program;
  signal: AbortSignal;
}

/** What was chosen or typed in one of its dialogs. */
export interface Answered<S = AgentSession> extends Omit<Asked<S>, 'argument'> {
  /** The dialog's id behind the command's name: empty for its first one. */
  step: string;
  value: string;
}

/** What a slash command does, and what comes of its dialogs. */
export interface Command<S = AgentSession> {
  run(asked: Asked<S>): Outcome | Promise<Outcome>;
  choose?(answered: Answered<S>): Outcome | Promise<Outcome>;
  preview?(value: string, program: Program): ScreenSettings | null;
}

/** One that also runs while no session is open. */
export type EarlyCommand = Command<AgentSession | null>;

/** The id of a command's dialog: its name, and the step behind a colon. */
export function dialogId(command: string, step = ''): string {
  return step === '' ? command : `${command}:${step}`;
}

export const nothing: Outcome = { type: 'nothing' };

export function told(text: string): Outcome {
  return { type: 'told', text };
}

export function problem(text: string): Outcome {
  return { type: 'problem', text };
}

export function dialog(shown: Dialog): Outcome {
  return { type: 'dialog', dialog: shown };
}
