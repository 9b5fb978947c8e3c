import { describe, expect, it } from 'vitest';
import { sessionsCommand } from '../../../apps/commands/sessions.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { memorySessions } from '../../../plugins/testing/memory-sessions.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';

function setup() {
  const clock = fakeClock();
  const store = memorySessions(clock, fakeIds());
  const run = async (...line: string[]) => {
    const seen = { out: '', err: '' };
    const [action, ...operands] = line.filter((word) => word !== '--json');
    const code = await sessionsCommand({ action, operands, json: line.includes('--json') }, store, {
      stdout: (text) => (seen.out += text),
      stderr: (text) => (seen.err += text),
    });
    return { code, ...seen };
  };
  return { clock, store, run };
}

async function conversation(store: ReturnType<typeof setup>['store'], prompt: string): Promise<string> {
  const log = await store.create(contractMeta);
  await log.append({ type: 'context', reason: 'startup', system: 'long', tools: [] });
  await log.append({ type: 'turn', n: 1, phase: 'start' });
  await log.append({ type: 'message', message: { role: 'user', blocks: [{ type: 'text', text: prompt }] } });
  await log.append({
    type: 'message',
    message: {
      role: 'assistant',
      blocks: [
        { type: 'thinking', text: 'hidden', provider: 'mock' },
        { type: 'text', text: 'I look \u001b]0;title\u0007\u001b[31mred' },
        { type: 'tool_use', id: 't', name: 'bash', input: { command: 'ls\nrm' } },
      ],
    },
  });
  await log.append({
    type: 'message',
    message: {
      role: 'user',
      blocks: [{ type: 'tool_result', id: 't', name: 'bash', content: 'x'.repeat(400), isError: true }],
    },
  });
  await log.append({ type: 'undo', turn: 1 });
  await log.close();
  return log.id;
}

describe('larik sessions', () => {
  it('lists the newest first by their first prompts', async () => {
    const { clock, store, run } = setup();
    const first = await conversation(store, 'first \u001b[2J prompt');
    await clock.advance(60_000);
    const second = await conversation(store, 'second');
    expect(await run('list')).toEqual({
      code: 0,
      out: `${second}  2026-01-02 03:05  second\n${first}  2026-01-02 03:04  first \\u{1b}[2J prompt\n`,
      err: '',
    });
    const rows = JSON.parse((await run('list', '--json')).out) as { id: string; title: string }[];
    expect(rows.map(({ id, title }) => [id, title])).toEqual([
      [second, 'second'],
      [first, 'first \u001b[2J prompt'],
    ]);
  });

  it('says on standard error that there is none', async () => {
    const { run } = setup();
    expect(await run('list')).toEqual({ code: 0, out: '', err: 'No sessions in this project yet.\n' });
    expect(await run('list', '--json')).toEqual({ code: 0, out: '[]\n', err: '' });
  });

  it('shows a conversation as text, without what could steer the terminal', async () => {
    const { store, run } = setup();
    const id = await conversation(store, 'do\nthis');
    expect(await run('show', id.slice(0, 18))).toEqual({
      code: 0,
      out: `Session ${id}, 2026-01-02T03:04:05.000Z, mock/one, in /p

> do
> this

I look red
* bash {"command":"ls\\nrm"}

  error: ${'x'.repeat(300)}…

--- turn 1 was undone ---

`,
      err: '',
    });
    const raw = JSON.parse((await run('show', id, '--json')).out) as {
      type: string;
      parent_id: string | null;
    }[];
    expect(raw.map(({ type }) => type)).toEqual([
      'meta',
      'context',
      'turn',
      'message',
      'message',
      'message',
      'undo',
    ]);
    expect(raw[0]).toMatchObject({ parent_id: null, session: id, version: 1 });
  });

  it('begins no line with what a folder or a tool is called', async () => {
    const { store, run } = setup();
    const log = await store.create({ ...contractMeta, cwd: '/p\n> mine\u202e' });
    const call = { type: 'tool_use', id: 't', name: 'x\n> mine\u202e', input: {} } as const;
    await log.append({ type: 'message', message: { role: 'assistant', blocks: [call] } });
    await log.close();
    for (const action of ['show', 'export']) {
      const { out } = await run(action, log.id);
      expect([action, out.match(/x\\n> mine|\/p\\n> mine/g), /\u202e|^> mine/m.test(out)]).toEqual([
        action,
        ['/p\\n> mine', 'x\\n> mine'],
        false,
      ]);
    }
  });

  it('exports a conversation as Markdown, cut and cleaned, or as one JSON value', async () => {
    const { store, run } = setup();
    const id = await conversation(store, 'do\n````\nthis');
    const { log } = await store.open(id);
    const content = `\u001b[31m${'`'.repeat(4)}\u009b${'y'.repeat(3000)}`;
    await log.append({
      type: 'message',
      message: {
        role: 'user',
        blocks: [
          { type: 'tool_result', id: 'u', name: 'read', content },
          { type: 'text', text: '<system-note>hidden</system-note>' },
        ],
      },
    });
    await log.append({ type: 'title', title: 'A \u001b[1mtitle' });
    await log.append({ type: 'title', title: 'A later title' });
    await log.close();
    const { out, ...rest } = await run('export', id);
    expect(rest).toEqual({ code: 0, err: '' });
    expect(out).toContain(`# A later title

Session ${id}, 2026-01-02T03:04:05.000Z, mock/one, in /p

## Prompt

do
\`\`\`\`
this

I look red

**bash**

\`\`\`json
{
  "command": "ls\\nrm"
}
\`\`\`

Error of bash:

\`\`\`
${'x'.repeat(400)}
\`\`\`

> The file changes of turn 1 were undone.

Result of read:

\`\`\`\`\`
\`\`\`\``);
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|hidden/);
    expect(out).toMatch(/more characters\n$/);
    const json = (await run('export', id, '--json')).out;
    expect(json).not.toMatch(/[\u007f-\u009f]/);
    expect(JSON.stringify(JSON.parse(json))).toContain(content.slice(5, 100));
    expect((await run('export', id)).code).toBe(0);
  });

  it('ends with 1 for a session that there is not, with 2 for bad usage', async () => {
    const { run } = setup();
    expect(await run('show', '2020')).toEqual({
      code: 1,
      out: '',
      err: 'larik sessions: no session begins with "2020"; larik sessions list shows them\n',
    });
    for (const line of [['show'], ['export'], ['export', 'x', 'y'], [], ['list', 'x'], ['delete', 'x']])
      expect((await run(...line)).code).toBe(2);
  });
});
