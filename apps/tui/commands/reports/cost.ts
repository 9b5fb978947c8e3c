import type { SessionUsage } from '../../../../ports/frontend.ts';
import type { Command } from '../command.ts';

const number = (value: number): string => value.toLocaleString('en');

const usd = (value: number): string => `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`;

/** What a session used and cost, as rows of Markdown. */
function costText({ total, costUsd }: SessionUsage, budgetUsd: number | null): string {
  const { input, output, cacheRead, cacheWrite } = total;
  const prompt = input + cacheRead + cacheWrite;
  const share = prompt === 0 ? 0 : Math.round((cacheRead / prompt) * 100);
  const of = budgetUsd === null ? '' : ` of ${usd(budgetUsd)}`;
  return [
    `- cost: ${costUsd === null ? 'not known: the model has no price here' : `${usd(costUsd)}${of}`}`,
    `- sent: ${number(prompt)} tokens, ${share} % of them read from the cache`,
    `- written to the cache: ${number(cacheWrite)} tokens`,
    `- answered: ${number(output)} tokens`,
  ].join('\n');
}

/** `/cost`: what the session used. */
export const cost: Command = {
  run: ({ session }) => ({
    type: 'text',
    title: 'Cost of this session',
    text: costText(session.spent(), session.settings().limits.budgetUsd),
  }),
};
