import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandbox, type Sandbox } from './larik.ts';
import { modelServer, type ModelServer, type Reply } from './model-server.ts';

let box: Sandbox;
let server: ModelServer | null = null;

beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\ntwo\n', 'AGENTS.md': 'RULE-7f3a\n' });
});
afterEach(async () => {
  await server?.close();
  server = null;
  await box.dispose();
});

/** A model at the server whose window is almost filled by the 15 tokens that the server counts. */
async function connect(window: number, replies: (body: string, number: number) => Reply) {
  const made = await modelServer((number) => replies(made.bodies[number] ?? '', number));
  server = made;
  const config = join(box.home, 'larik', 'config');
  await mkdir(config, { recursive: true });
  const settings = {
    model: 'mock/mock',
    models: { 'mock/mock': { context_window: window } },
    providers: { mock: { type: 'openai-compatible', base_url: `${made.url}/v1`, api_key_env: 'MOCK_KEY' } },
  };
  await writeFile(join(config, 'config.json'), JSON.stringify(settings));
  return { MOCK_KEY: 'key-mock-secret' };
}

interface Body {
  messages: { role: string; content: string }[];
  tools: unknown;
}

const bodies = (): Body[] => (server?.bodies ?? []).map((body) => JSON.parse(body) as Body);
const isSummary = (body: string): boolean => body.includes('Summarise this conversation');
const read: Reply = { calls: [{ name: 'read', input: { path: 'a.txt' } }] };

async function entries(): Promise<Record<string, unknown>[]> {
  const root = join(box.home, 'larik', 'data', 'sessions');
  const names = await readdir(root, { recursive: true });
  const file = names.find((name) => name.endsWith('.jsonl')) ?? '';
  const text = await readFile(join(root, file), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a small window', () => {
  it('is made room in between two steps, and a resume goes on from the summary', async () => {
    const env = await connect(18, (body, number) => {
      if (isSummary(body)) return { text: '<summary>\nread a.txt once\n</summary>' };
      return number < 2 ? read : { text: `answer ${number}` };
    });
    const first = await box.run(['-p', 'read it'], { env });
    expect(first).toMatchObject({ code: 0, out: 'answer 3\n' });
    const resumed = await box.run(['-p', 'and again', '-c'], { env });
    expect(resumed.code).toBe(0);

    const sent = bodies();
    expect((server?.bodies ?? []).map(isSummary)).toEqual([false, false, true, false, false]);
    const [, second, asked, third, again] = sent;
    expect(asked?.messages.slice(0, second?.messages.length)).toEqual(second?.messages);
    expect(asked?.tools).toEqual(second?.tools);
    const [system, message] = third?.messages ?? [];
    expect(third?.messages).toHaveLength(2);
    expect(system?.content.split('RULE-7f3a')).toHaveLength(2);
    expect(message?.content).toContain('<summary>\nread a.txt once\n</summary>');
    expect(message?.content).toMatch(/`\/.*\.jsonl`/);
    // The resume sends the bytes that were sent before, and goes on behind them.
    expect(again?.messages.slice(0, 2)).toEqual(third?.messages);
    expect(again?.messages.slice(2)).toMatchObject([{ role: 'assistant' }, { role: 'user' }]);
    const kept = (await entries()).map((entry) => entry['type']);
    expect(kept).toContain('compaction');
    expect(kept.filter((type) => type === 'context')).toHaveLength(2);
  });

  it('ends with what is fixed, where nothing helps (CTX-01)', async () => {
    const error = { error: { message: 'This model has a maximum context length of 18 tokens' } };
    const env = await connect(18, () => ({ status: 400, body: JSON.stringify(error) }));
    const ended = await box.run(['-p', 'read it'], { env });
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(/system prompt \(about [\d,]+\) and the tools \(about [\d,]+\) are fixed/);
    expect(server?.bodies.length).toBeLessThanOrEqual(3);
  });

  it('sends on without a message that the server refuses, and a resume finds it again', async () => {
    const refused = { error: { message: "Invalid 'messages[1].content': odd bytes" } };
    const env = await connect(100_000, (body) =>
      body.includes('odd prompt') ? { status: 400, body: JSON.stringify(refused) } : { text: 'fine' },
    );
    const first = await box.run(['-p', 'odd prompt'], { env });
    expect(first).toMatchObject({ code: 0, out: 'fine\n' });
    expect(first.err).toContain('odd bytes');
    expect(await box.run(['-p', 'go on', '-c'], { env })).toMatchObject({ code: 0, out: 'fine\n' });
    expect(server?.bodies).toHaveLength(4);
    expect(JSON.stringify(await entries())).toContain('odd prompt');
  });
});
