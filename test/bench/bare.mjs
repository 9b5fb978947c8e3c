// The yardstick: what a Node program needs at least to have the same conversation, with no agent around it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
const tool = (name, field) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { [field]: { type: 'string' } } } },
});
const tools = [tool('bash', 'command'), tool('read', 'path')];
const messages = [{ role: 'user', content: 'Do it.' }];

function post(body) {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } };
    request(`${process.env.BENCH_URL}/chat/completions`, options, resolve).on('error', reject).end(body);
  });
}

async function ask() {
  const response = await post(JSON.stringify({ model: 'bench', stream: true, messages, tools }));
  response.setEncoding('utf8');
  const message = { role: 'assistant', content: '' };
  let rest = '';
  for await (const text of response) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { delta } = JSON.parse(line.slice(6)).choices[0];
      if (delta.tool_calls) message.tool_calls = delta.tool_calls;
      if (!delta.content) continue;
      message.content += delta.content;
      if (!process.stdout.write(delta.content))
        await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  }
  messages.push(message);
  return message.tool_calls ?? [];
}

function carryOut({ name, arguments: text }) {
  const input = JSON.parse(text);
  if (name === 'read') return readFile(input.path, 'utf8');
  return new Promise((resolve) => {
    execFile('bash', ['-c', input.command], (_error, output) => resolve(output)).stdin.end();
  });
}

for (let calls = await ask(); calls.length > 0; calls = await ask()) {
  const contents = await Promise.all(calls.map((call) => carryOut(call.function)));
  calls.forEach(({ id }, index) =>
    messages.push({ role: 'tool', tool_call_id: id, content: contents[index] }),
  );
}
agent.destroy();
