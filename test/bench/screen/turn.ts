import type { AgentEvent } from '../../../ports/event.ts';

/** What happens in a turn with a call and an answer in Markdown. */
export function turn(number: number): AgentEvent[] {
  const id = `call_${number}`;
  const input = { path: `src/file-${number}.ts` };
  const before = `I look at \`file-${number}\` first, since the **other** files only use what is in it.`;
  const answer = [
    `## Part ${number}\n\nThere is a mistake in row ${number}: what is empty is counted as well, so that the`,
    ` sum is too large wherever a file ends with more than one blank row.\n\n- the first point, \`code\`\n`,
    `- the second point of ${number}\n\n\`\`\`ts\nexport const part${number} = (rows: string[]): number =>\n`,
    `  rows.filter((row) => row !== '').length + ${number};\n\`\`\`\n\n| file | rows |\n| --- | ---: |\n`,
    `| src/file-${number}.ts | ${number} |\n`,
  ];
  return [
    { type: 'turn_start', prompt: `Please look at part ${number}.`, mode: 'default', model: 'bench/bench' },
    { type: 'text_delta', text: before },
    {
      type: 'assistant_message',
      message: {
        role: 'assistant',
        blocks: [
          { type: 'text', text: before },
          { type: 'tool_use', id, name: 'read', input },
        ],
      },
    },
    { type: 'tool_start', tool_id: id, tool_name: 'read', input },
    {
      type: 'tool_end',
      tool_id: id,
      tool_name: 'read',
      output: `1\trow ${number}\n`.repeat(20),
      is_error: false,
      duration_ms: 12,
    },
    ...answer.map((text): AgentEvent => ({ type: 'text_delta', text })),
    {
      type: 'assistant_message',
      message: { role: 'assistant', blocks: [{ type: 'text', text: answer.join('') }] },
    },
  ];
}
