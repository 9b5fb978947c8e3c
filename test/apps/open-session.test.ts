import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectId } from '../../adapters/settings/places.ts';
import { openSession } from '../../apps/index.ts';
import { defineTool, z } from '../../plugins/sdk/index.ts';
import type { StampedEvent } from '../../ports/event.ts';
import type { AgentSession } from '../../ports/frontend.ts';

const shout = defineTool({
  name: 'shout',
  description: 'Says it loudly.',
  effect: 'read',
  input: z.object({ text: z.string().describe('What to say.') }),
  run: async ({ text }) => ({ content: text.toUpperCase() }),
});

const post = defineTool({
  name: 'post',
  description: 'Tells others.',
  effect: 'network',
  input: z.object({}),
  run: async () => ({ content: 'told' }),
});

/** One prompt, in which every question is answered with "always". */
async function answered(session: AgentSession) {
  const events: StampedEvent[] = [];
  for await (const event of session.prompt('go', new AbortController().signal)) {
    events.push(event);
    if (event.type === 'permission_request') session.answer(event.request_id, { allow: true, always: true });
  }
  return {
    resolved: events.filter((event) => event.type === 'permission_resolved'),
    notices: events.flatMap((event) =>
      event.type === 'notice' && event.code === 'rule' ? [event.text] : [],
    ),
  };
}

describe('openSession', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'larik-embed-'));
    vi.stubEnv('LARIK_HOME', join(root, 'home'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(root, { recursive: true });
  });

  it('runs a conversation with the tools of the program that embeds it', async () => {
    const script = join(root, 'script.json');
    const call = { calls: [{ name: 'shout', input: { text: 'hello' } }] };
    await writeFile(script, JSON.stringify([call, { text: 'done', expect: 'HELLO' }]));
    const session = await openSession({ cwd: root, model: `script/${script}`, tools: [shout], keep: false });
    const events: StampedEvent[] = [];
    for await (const event of session.prompt('go', new AbortController().signal)) events.push(event);
    await session.dispose();
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  });

  it('says how to go on where the model of an older session cannot be used any more', async () => {
    vi.stubEnv('XAI_API_KEY', 'sk-x');
    const first = await openSession({ cwd: root, model: 'xai/grok-4.7' });
    await first.dispose();
    vi.stubEnv('XAI_API_KEY', '');
    const remedy = 'The session last used xai/grok-4.7; --model PROVIDER/MODEL goes on with another.';
    const failure = { port: 'provider', kind: 'auth', facts: { remedy } };
    await expect(openSession({ cwd: root, resume: first.id })).rejects.toMatchObject(failure);
    await (await openSession({ cwd: root, resume: first.id, model: 'demo/demo' })).dispose();
  });

  it('lets a session go when it cannot be opened, and leaves nothing behind', async () => {
    const script = join(root, 'script.json');
    await writeFile(script, '[]');
    const first = await openSession({ cwd: root, model: `script/${script}` });
    await first.dispose();
    const resume = first.id;
    await expect(openSession({ cwd: root, resume, model: 'nowhere/model' })).rejects.toThrow('nowhere');
    // Nobody holds it.
    await (await openSession({ cwd: root, resume, model: `script/${script}` })).dispose();
  });

  it('begins with a model that cannot be used where another can be asked in its place', async () => {
    const script = join(root, 'script.json');
    await writeFile(script, JSON.stringify([{ text: 'one' }, { text: 'two' }]));
    const fallbacks = { smart: [`script/${script}`, 'nowhere/model'], 'openai/gpt-5.6': ['nowhere/model'] };
    const settings = { model: 'smart', roles: { smart: 'openai/gpt-5.5' }, fallbacks };
    await mkdir(join(root, 'home', 'config'), { recursive: true });
    await writeFile(join(root, 'home', 'config', 'config.json'), JSON.stringify(settings));
    vi.stubEnv('OPENAI_API_KEY', '');
    const prompt = async (session: AgentSession) => {
      const events: StampedEvent[] = [];
      for await (const event of session.prompt('go', new AbortController().signal)) events.push(event);
      return events.flatMap((event) => {
        if (event.type === 'notice') return [event.text];
        if (event.type === 'turn_start') return [event.model];
        return event.type === 'usage' ? [event.model] : [];
      });
    };
    const session = await openSession({ cwd: root });
    const notices = [
      expect.stringMatching(/^fallbacks\.smart: nowhere\/model cannot be used: no provider nowhere/),
      expect.stringMatching(/^fallbacks\.openai\/gpt-5\.6: nowhere\/model cannot be used: no provider/),
    ];
    const own = (await prompt(session)).filter((text) => !text.includes('sandbox'));
    expect(own).toEqual([
      'openai/gpt-5.5',
      ...notices,
      expect.stringMatching(
        /^openai\/gpt-5\.5 failed \(openai: no key\. .*\) and rests for 10 minutes; script\//,
      ),
      `script/${script}`,
    ]);
    // It rests by now.
    expect(await prompt(session)).toEqual(['openai/gpt-5.5', `script/${script}`]);
    await session.dispose();
    await expect(openSession({ cwd: root, model: 'openai/gpt-5.4' })).rejects.toThrow('openai: no key. Set');
  });

  it('SESS-08 goes on in a fork, which has spent nothing, and leaves the source as it is', async () => {
    const script = join(root, 'script.json');
    await writeFile(script, JSON.stringify([{ text: 'one' }, { text: 'two' }]));
    const model = `script/${script}`;
    const prompt = async (session: AgentSession, text: string) => {
      const events: StampedEvent[] = [];
      for await (const event of session.prompt(text, new AbortController().signal)) events.push(event);
      return events;
    };
    const totals = (events: StampedEvent[]) =>
      events.flatMap((event) => (event.type === 'usage' ? [[event.turn, event.total]] : []));
    const source = await openSession({ cwd: root, model });
    await prompt(source, 'first');
    const before = await readFile(source.path ?? '');
    // Still held: between its turns it can be forked all the same.
    const child = await openSession({ cwd: root, model, fork: true });
    const events = await prompt(child, 'second');
    expect(events.find((event) => event.type === 'notice')).toMatchObject({
      level: 'info',
      text: `this session goes on from a copy of ${source.id}`,
    });
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    for (const [turn, total] of totals(events)) expect(total).toEqual(turn);
    await child.dispose();
    await source.dispose();
    expect(await readFile(source.path ?? '')).toEqual(before);
    const copied = (await readFile(child.path ?? '', 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const lastOfSource = JSON.parse(before.toString('utf8').trim().split('\n').at(-1) ?? '') as {
      id: string;
    };
    expect(copied[0]).toMatchObject({ session: child.id, fork_of: source.id, fork_at: lastOfSource.id });
    expect(JSON.stringify(copied)).toMatch(/first.*second/);
  });

  it('goes on with the last session in which something was said', async () => {
    const script = join(root, 'script.json');
    await writeFile(script, JSON.stringify([{ text: 'one' }]));
    const options = { cwd: root, model: `script/${script}` };
    const used = await openSession(options);
    for await (const event of used.prompt('first', new AbortController().signal)) void event;
    await used.dispose();
    await (await openSession(options)).dispose();
    const child = await openSession({ ...options, fork: true });
    await child.dispose();
    expect(await readFile(child.path ?? '', 'utf8')).toContain('"first"');
  });

  it('keeps an "always" for the next session, in the private settings of the project', async () => {
    const script = join(root, 'script.json');
    const call = { calls: [{ name: 'post', input: {} }] };
    await writeFile(script, JSON.stringify([call, { text: 'done' }]));
    const open = () => openSession({ cwd: root, model: `script/${script}`, tools: [post], keep: false });
    const first = await open();
    expect(await answered(first)).toMatchObject({
      resolved: [{ outcome: 'allowed', rule: 'post', persisted: true }],
      notices: [],
    });
    await first.dispose();
    const folder = join(root, 'home', 'config', 'projects');
    const [name = ''] = await readdir(folder);
    const again = await open();
    expect(again.settings().rules.allow).toEqual([{ text: 'post', origin: `${join(folder, name)}:4` }]);
    expect((await answered(again)).resolved).toEqual([]);
    await again.dispose();
  });

  it('CONF-02 holds an "always" for the session where those settings are broken, and leaves them alone', async () => {
    const script = join(root, 'script.json');
    const call = { calls: [{ name: 'post', input: {} }] };
    await writeFile(script, JSON.stringify([call, call, { text: 'done' }]));
    const folder = join(root, 'home', 'config', 'projects');
    const file = join(folder, `${projectId(await realpath(root))}.json`);
    const broken = '{\n  "mode": "plan",\n  "limits" {}\n}';
    await mkdir(folder, { recursive: true });
    await writeFile(file, broken, { mode: 0o600 });
    const session = await openSession({ cwd: root, model: `script/${script}`, tools: [post] });
    const { resolved, notices } = await answered(session);
    await session.dispose();
    expect(resolved).toMatchObject([{ outcome: 'allowed', rule: 'post', persisted: false }]);
    expect(notices).toEqual([
      `The rule \`post\` holds for this session only, since it could not be saved:\n${file}:3:12: colon expected; nothing was written, since the file must be mended first (larik config edit --project)`,
    ]);
    expect(await readFile(file, 'utf8')).toBe(broken);
  });

  it('ends a session whose old data cannot be tidied up', async () => {
    const script = join(root, 'script.json');
    await writeFile(script, '[]');
    await mkdir(join(root, 'home', 'data'), { recursive: true });
    await writeFile(join(root, 'home', 'data', 'output'), 'no folder');
    const session = await openSession({ cwd: root, model: `script/${script}` });
    await session.dispose();
    const again = await openSession({ cwd: root, resume: session.id, model: `script/${script}` });
    await again.dispose();
  });

  it('says what is wrong with what it was given', async () => {
    const twice = { ...shout, spec: { ...shout.spec, name: 'read' } };
    await expect(openSession({ cwd: root, tools: [twice] })).rejects.toThrow('two tools called read');
    await expect(openSession({ cwd: join(root, 'nowhere') })).rejects.toThrow('nowhere');
    await expect(openSession({ cwd: root, deny: ['bash('] })).rejects.toThrow('bash(');
  });
});
