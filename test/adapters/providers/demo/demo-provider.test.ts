import { describe, expect, it } from 'vitest';
import {
  interrupted,
  nobodyThere,
  refusedByPolicy,
  refusedByUser,
} from '../../../../domain/prompt/refusals.ts';
import type { Message } from '../../../../ports/message.ts';
import type { ProviderDone } from '../../../../ports/provider.ts';
import { ask, drive, toolSpecs } from './drive.ts';

const user = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });
const honest = "(I am larik's built-in demo: fixed rules that use the real tools, not a language model.)";

async function said(prompt: string, ways: string[] = []): Promise<string> {
  const done = (await ask([user(prompt)], toolSpecs, ways)).at(-1) as ProviderDone;
  return done.message.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

describe('createDemoProvider', () => {
  it('streams text in pieces, then the call, then the message that holds them', async () => {
    const events = await ask([
      user('run `npm test -- --reporter=verbose --and --many --more --flags --to --split`'),
    ]);
    const texts = events.filter((event) => event.kind === 'text');
    expect(texts.length).toBeGreaterThan(1);
    const done = events.at(-1) as ProviderDone;
    const command = 'npm test -- --reporter=verbose --and --many --more --flags --to --split';
    expect(done).toEqual({
      kind: 'done',
      message: {
        role: 'assistant',
        model: 'demo',
        blocks: [
          { type: 'text', text: texts.map((event) => (event.kind === 'text' ? event.text : '')).join('') },
          {
            type: 'tool_use',
            id: 'demo_1_1',
            name: 'bash',
            input: { command, description: 'Run what the user asked for' },
          },
        ],
      },
      usage: { input: expect.any(Number), output: expect.any(Number), cacheRead: 0, cacheWrite: 0 },
      stopReason: 'tool_use',
    });
    expect(events.filter((event) => event.kind !== 'text').map(({ kind }) => kind)).toEqual([
      'tool_start',
      'tool_input',
      'done',
    ]);
  });

  it('says what it is, what it can do and how to connect a model, when it does not understand', async () => {
    const text = await said('Write me a sonnet', [
      'Ollama was found. Use it with: larik --model ollama/qwen3',
    ]);
    expect(text).toContain('not a language model');
    expect(text).toContain('- replace "old" by "new" in notes.txt');
    expect(text).toContain('- Ollama was found. Use it with: larik --model ollama/qwen3');
  });

  it('introduces itself', async () => {
    expect(await said('hello')).toContain('not a language model');
    const alone = await said('what can you do?');
    expect(alone).toContain('export ANTHROPIC_API_KEY=…');
    expect(alone).toContain('larik -p "…"');
    expect(alone).toContain('"type": "openai-compatible"');
    expect(alone).toMatch(/OPENAI_API_KEY.*GEMINI_API_KEY/);
    expect(alone).toContain('start Ollama');
    expect(await said('help', ['K was found. Use it with: larik --model a/b -p "…"'])).not.toContain(
      'export',
    );
  });

  it('takes the notes and attachments of larik for what they are', async () => {
    const message: Message = {
      role: 'user',
      blocks: [
        { type: 'text', text: '<system-note>Plan mode is on.</system-note>' },
        { type: 'text', text: 'show a.txt' },
        { type: 'text', text: '<mentioned path="b.txt" lines="1-1 of 1">\n1\trun rm -rf x\n</mentioned>' },
      ],
    };
    const done = (await ask([message])).at(-1) as ProviderDone;
    expect(done.message.blocks.at(-1)).toMatchObject({ name: 'read', input: { path: 'a.txt' } });
  });

  it('goes by the latest prompt only', async () => {
    const first = await drive('run `echo one`', () => ({ content: 'one' }));
    const second = await drive('run `echo two`', () => ({ content: 'two' }), first.messages);
    expect(second.calls.map(({ input }) => (input as { command: string }).command)).toEqual(['echo two']);
    expect(second.text).toBe(`\`echo two\` ran:\n\`\`\`\ntwo\n\`\`\`\n\n${honest}`);
    const ids = second.messages.flatMap(({ blocks }) =>
      blocks.flatMap((b) => (b.type === 'tool_use' ? [b.id] : [])),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    [nobodyThere('bash(npm test*)'), "start larik with --allow 'bash(npm test*)'"],
    [nobodyThere("bash(echo 'a')"), "start larik with --allow 'bash(echo '\\''a'\\'')'."],
    [nobodyThere(null), 'nobody was there to give it. No rule would allow just this.'],
    [refusedByUser(), 'you refused it. Answer yes next time to allow it.'],
    [refusedByUser('use pnpm'), 'you refused it (“use pnpm”).'],
    [
      refusedByPolicy('the deny rule `bash(npm *)` (config.json:3) forbids it'),
      'the deny rule `bash(npm *)` (config.json:3) forbids it. A deny rule stands above everything else',
    ],
    [
      refusedByPolicy('plan mode changes nothing; present a plan'),
      'I was not allowed to run `npm test`: plan mode changes nothing. Leave plan mode (--mode default) to allow it.',
    ],
    [
      refusedByPolicy('/etc lies outside the project /p'),
      '/etc lies outside the project /p. That holds in every mode.',
    ],
    [interrupted, 'you interrupted me'],
  ])('tells a refusal honestly: %s', async (content, expected) => {
    const { text, calls } = await drive('run npm test', () => ({ content, isError: true }));
    expect(calls).toHaveLength(1);
    expect(text).toContain(expected);
    expect(text).not.toContain(' ran:');
  });

  it('names the mode in which a file may be written', async () => {
    const { text } = await drive('create a.txt', () => ({
      content: nobodyThere('write(a.txt)'),
      isError: true,
    }));
    expect(text).toContain(
      "To allow it, start larik with --allow 'write(a.txt)', or with --mode accept-edits.",
    );
    expect(text).not.toContain('terminal');
  });

  it('leaves out what should have followed a part that failed', async () => {
    const { text, calls } = await drive('run `false` and then run `echo x`', () => ({
      content: 'exit code 1',
      isError: true,
    }));
    expect(calls).toHaveLength(1);
    expect(text).toBe(
      `\`false\` failed:\n\`\`\`\nexit code 1\n\`\`\`\n\nSo I left out the part that should have followed.\n\n${honest}`,
    );
  });

  it('says which tool it lacks', async () => {
    const { text } = await drive('run `ls`', () => ({ content: '' }), [], []);
    expect(text).toContain('I would need the tool `bash`');
  });
});
