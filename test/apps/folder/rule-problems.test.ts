import { expect, it } from 'vitest';
import { ruleProblems } from '../../../apps/folder/rule-problems.ts';

const none = { allow: [], ask: [], deny: [] };

it('a flood of mistakes hides no other, and a deny rule among them still stops the start', async () => {
  const ask = Array.from({ length: 60_000 }, (_, at) => ({ text: `unheard_of_${at}` }));
  const problems = await ruleProblems({ ...none, ask, deny: [{ text: 'bash(' }] });
  expect(problems.length).toBe(12);
  expect(problems.filter(({ fatal }) => fatal).map(({ text }) => text)).toEqual([
    'deny rule `bash(`: expected `tool` or `tool(pattern)`',
  ]);
  expect(problems.at(-1)?.text).toBe('59990 more rules have mistakes');
});
