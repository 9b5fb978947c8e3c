import type { Message } from '../ports/message.ts';
import type { ResolvedModel } from '../ports/models.ts';
import { budgetState } from './budget.ts';
import { askAside } from './context/summary-request.ts';
import { append, systemNote, textOf } from './conversation/conversation.ts';
import { buildRequest } from './model-request.ts';
import { titleRequest } from './prompt/title.ts';
import type { Run } from './scope.ts';
import { oneLine } from './text/one-line.ts';

const longest = 60;

/** A title as it is kept: one line of 60 characters at most, without quotes around it. */
export function cleanTitle(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s"'“”#*`]+|[\s"'“”*`.]+$/g, '');
  const characters = [...oneLine(line)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

/**
 * Asks the model for a title once, with the same request as ever and one more message, so that a cache is
 * hit. Empty before the first answer, where the budget is used up, and where the model wrote none or declined. Throws
 * `PortError<'provider'>`.
 */
export async function askForTitle(run: Run): Promise<string> {
  const { state } = run;
  const answered = state.messages.some(({ role }) => role === 'assistant');
  if (!answered || budgetState(state, state.settings.limits.budgetUsd) === 'reached') return '';
  const question: Message = { role: 'user', blocks: [systemNote(titleRequest)] };
  const messages = append(state.messages, question);
  const request = (model: ResolvedModel) => buildRequest(run, model, messages, 'title');
  const asking = askAside(run, state.settings.model, request, 'title');
  for (;;) {
    const next = await asking.next();
    if (next.done !== true) state.pending.push(next.value);
    else if (!('stopReason' in next.value)) throw next.value;
    else return next.value.stopReason === 'refusal' ? '' : cleanTitle(textOf(next.value.message));
  }
}
