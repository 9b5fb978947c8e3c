import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dialog, OpenedSession, Outcome } from '../../../adapters/frontends/host.ts';
import { openFolder } from '../../../apps/folder/folder.ts';
import { table } from '../../../apps/tui/commands/table.ts';
import { TuiHost } from '../../../apps/tui/host.ts';
import { Program } from '../../../apps/tui/program.ts';
import type { AgentSession } from '../../../ports/frontend.ts';

const signal = new AbortController().signal;

let root: string;
let program: Program;
let host: TuiHost;
let session: AgentSession;
const opened: OpenedSession[] = [];

async function begin(): Promise<void> {
  const folder = await openFolder({ cwd: join(root, 'project') });
  const flags = { model: `script/${join(root, 'script.json')}` };
  program = new Program({ folder, flags, version: '0.0.0', env: process.env });
  host = new TuiHost(program);
  opened.push(await program.open());
  session = opened[0]!.session;
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'larik-host-'));
  await mkdir(join(root, 'project'));
  const write = { calls: [{ name: 'write', input: { path: 'new.txt', content: 'new\n' } }] };
  await writeFile(
    join(root, 'script.json'),
    JSON.stringify([write, { text: 'written' }, { text: 'second' }]),
  );
  vi.stubEnv('LARIK_HOME', join(root, 'home'));
  for (const name of ['LARIK_MODEL', 'LARIK_MODE', 'LARIK_EFFORT', 'ANTHROPIC_API_KEY']) vi.stubEnv(name, '');
  await begin();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.session.dispose();
  await host.dispose();
  await program.dispose();
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const run = (name: string, argument = '') => host.run(name, argument, session, signal);
const choose = (dialog: string, value: string) => host.choose(dialog, value, session, signal);

function dialogOf(outcome: Outcome): Dialog {
  if (outcome.type !== 'dialog') throw new Error(JSON.stringify(outcome));
  return outcome.dialog;
}

function sessionOf(outcome: Outcome): OpenedSession {
  if (outcome.type !== 'session') throw new Error(JSON.stringify(outcome));
  opened.push(outcome.opened);
  return outcome.opened;
}

async function say(text: string): Promise<void> {
  for await (const event of session.prompt(text, signal)) {
    if (event.type === 'permission_request') session.answer(event.request_id, { allow: true });
  }
}

describe('TuiHost', () => {
  it('answers every command with something that can be shown', async () => {
    for (const { name } of table) {
      const outcome = await run(name);
      if (outcome.type === 'session') opened.push(outcome.opened);
      // What is not there yet, such as a record, is a problem told in words.
      if (outcome.type === 'problem') expect(outcome.text, name).not.toMatch(/undefined|\[object|TypeError/);
    }
  });

  it('has no two commands of one name', () => {
    const names = table.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('tells what is no command, and what needs a session', async () => {
    expect(await run('nonsense')).toEqual({ type: 'problem', text: 'there is no command /nonsense' });
    expect(await host.run('undo', '', null, signal)).toEqual({
      type: 'problem',
      text: '/undo needs a session, and none is open yet',
    });
  });

  it('sets mode, effort and model of the session', async () => {
    expect(dialogOf(await run('mode')).choices?.map(({ value }) => value)).toEqual([
      'default',
      'accept-edits',
      'plan',
      'yolo',
    ]);
    await choose('mode', 'plan');
    await run('effort', 'high');
    expect((await run('mode', 'nonsense')).type).toBe('problem');
    expect((await run('model', 'nobody/nothing')).type).toBe('problem');
    await run('model', 'demo/demo');
    expect(session.settings()).toMatchObject({ mode: 'plan', effort: 'high', model: 'demo/demo' });
  });

  it('shows what an undo would do, and does it', async () => {
    await say('write it');
    const plan = dialogOf(await run('undo'));
    expect(plan.text).toContain('remove `new.txt`');
    expect((await choose(plan.id, '')).type).toBe('nothing');
    expect((await stat(join(root, 'project', 'new.txt'))).size).toBe(4);
    expect((await choose(plan.id, 'do')).type).toBe('text');
    await expect(stat(join(root, 'project', 'new.txt'))).rejects.toThrow('ENOENT');
    expect(await run('undo')).toMatchObject({ type: 'told' });
  });

  it('goes back to before a prompt in a copy, with its words in the input and its files as they were', async () => {
    await say('write it');
    const [row] = dialogOf(await run('rewind')).choices ?? [];
    expect(row).toMatchObject({ value: '1', label: 'write it' });
    const asked = dialogOf(await choose('rewind', '1'));
    const copy = sessionOf(await choose(asked.id, 'files'));
    expect(copy.input).toBe('write it');
    expect(copy.history.filter(({ type }) => type === 'turn_start')).toEqual([]);
    expect(copy.session.id).not.toBe(session.id);
    await expect(stat(join(root, 'project', 'new.txt'))).rejects.toThrow('ENOENT');
  });

  it('goes on with another session, and offers a copy of one that is in use', async () => {
    await say('write it');
    const next = sessionOf(await run('new'));
    expect(next.history).toEqual([]);
    const held = dialogOf(await choose('sessions', session.id));
    expect(held.id).toBe('sessions:held');
    const copy = sessionOf(await choose(held.id, session.id));
    expect(copy.history).toContainEqual(expect.objectContaining({ type: 'turn_start', prompt: 'write it' }));
  });

  it('writes the session to a new file only, and copies the last answer', async () => {
    await say('write it');
    expect((await run('export', 'out.md')).type).toBe('told');
    expect(await readFile(join(root, 'project', 'out.md'), 'utf8')).toContain('## Prompt\n\nwrite it');
    expect((await run('export', 'out.md')).type).toBe('problem');
    expect(await run('copy')).toEqual({ type: 'copied', text: 'written', what: 'the last answer' });
  });

  it('saves settings, and follows those of the screen and the limits at once', async () => {
    const editing = dialogOf(await choose('config', 'limits.max_steps'));
    expect(editing.ask?.initial).toBe('200');
    await choose(editing.id, '7');
    expect(session.settings().limits.maxSteps).toBe(7);
    expect(await choose('config:mouse', 'false')).toMatchObject({
      type: 'settings',
      settings: { mouse: false },
    });
    expect(dialogOf(await choose('config:limits.max_steps', 'many')).text).toContain('limits.max_steps');
    const file = join(root, 'home', 'config', 'config.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ limits: { max_steps: 7 }, mouse: false });
  });

  it('shows a theme while it is marked, and takes the look back', async () => {
    await run('theme');
    expect(host.preview('theme', 'light')).toMatchObject({ theme: { name: 'light' } });
    expect(host.preview('theme', null)).toMatchObject({ theme: 'auto' });
    expect(await choose('theme', 'dark')).toMatchObject({ settings: { theme: { name: 'dark' } } });
  });

  it('says of a theme of the user’s own where it is hard to read', async () => {
    const themes = join(root, 'home', 'config', 'themes');
    await mkdir(themes, { recursive: true });
    const faint = { kind: 'dark', background: '#101010', tones: { muted: '#202020' } };
    await writeFile(join(themes, 'faint.json'), JSON.stringify(faint));
    expect(dialogOf(await run('theme')).text).toMatch(
      /^the theme faint is hard to read: muted on background/,
    );
    await choose('theme', 'faint');
    const again = await program.open();
    opened.push(again);
    const told: string[] = [];
    for await (const event of again.session.prompt('hello', signal)) {
      if (event.type === 'notice') told.push(event.text);
      if (event.type === 'permission_request') again.session.answer(event.request_id, { allow: false });
    }
    expect(told.filter((text) => text.startsWith('the theme faint is hard to read'))).toHaveLength(1);
  });

  it('TRUST-06 gives the status-line command none of the providers’ keys', async () => {
    const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'];
    for (const name of keys) vi.stubEnv(name, `a-key-for-${name}`);
    vi.stubEnv('MY_OWN_KEY', 'a-key-for-mine');
    await mkdir(join(root, 'home', 'config'), { recursive: true });
    const file = join(root, 'seen');
    const config = {
      status_line: { type: 'command', command: `env > '${file}'; echo shown` },
      providers: {
        mine: { type: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1', api_key_env: 'MY_OWN_KEY' },
      },
    };
    await writeFile(join(root, 'home', 'config', 'config.json'), JSON.stringify(config));
    const folder = await openFolder({ cwd: join(root, 'project') });
    const keyed = new Program({ folder, flags: {}, version: '0.0.0', env: process.env });
    const line = await new TuiHost(keyed).statusLine(
      {
        session: session.id,
        transcript: session.path,
        cwd: join(root, 'project'),
        model: 'demo/demo',
        costUsd: null,
        durationMs: 0,
        contextTokens: null,
        contextWindow: null,
        mode: 'default',
      },
      signal,
    );
    await keyed.dispose();
    expect(line).toBe('shown');
    const seen = await readFile(file, 'utf8');
    expect(seen).toContain('LARIK=1');
    expect(seen).not.toContain('a-key-for');
  });

  it('runs the user’s command where the model’s run', async () => {
    const shown: string[] = [];
    const { exitCode, output } = await host.shell('echo hi; exit 3', session, signal, (text) => {
      shown.push(text);
    });
    expect([exitCode, output.trim(), shown.join('').trim()]).toEqual([3, 'hi', 'hi']);
  });
});

describe('/connect', () => {
  let server: Server;
  let address: string;
  beforeEach(async () => {
    server = createServer((request, response) => {
      const isAllowed = request.headers.authorization === 'Bearer right-key-123';
      response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isAllowed ? { data: [{ id: 'one' }, { id: 'two' }] } : { error: {} }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const answer = (dialog: string, value: string) => host.choose(dialog, value, null, signal);

  it('offers what it knows at once, and the servers of this machine when they have answered', async () => {
    vi.stubEnv('OLLAMA_HOST', '127.0.0.1:1');
    const early = dialogOf(await host.run('connect', '', null, signal));
    expect(early.text).toContain('Looking for Ollama');
    const whole = dialogOf(await answer(early.id, early.meanwhile ?? ''));
    expect(whole).toMatchObject({ id: early.id, title: early.title });
    expect(whole.meanwhile).toBeUndefined();
    expect(whole.choices?.map(({ value }) => value)).toEqual(
      expect.arrayContaining((early.choices ?? []).map(({ value }) => value)),
    );
  });

  it('tries an address and a key before it keeps them', async () => {
    expect(dialogOf(await host.run('connect', '', null, signal)).choices?.at(-1)?.value).toBe('demo');
    expect(dialogOf(await answer('connect', 'server')).ask).toBeDefined();
    expect(dialogOf(await answer('connect:server', 'no address')).id).toBe('connect:server');
    expect(dialogOf(await answer('connect:server', address)).id).toBe('connect:failed:local');
    expect(dialogOf(await answer('connect:key:local', 'wrong-key-123')).id).toBe('connect:failed:local');
    expect(dialogOf(await answer('connect:key:local', 'right-key-123')).id).toBe('connect:save:local');
    const models = dialogOf(await answer('connect:save:local', 'config'));
    expect(models.choices?.map(({ value }) => value)).toEqual(['local/one', 'local/two']);
    expect((await answer(models.id, 'local/two')).type).toBe('told');
    const file = join(root, 'home', 'config', 'config.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      providers: { local: { type: 'openai-compatible', base_url: address, api_key: 'right-key-123' } },
      model: 'local/two',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(program.folder.secrets.redact('a right-key-123')).not.toContain('right-key');
    const next = await program.open();
    opened.push(next);
    expect(next.session.settings().model).toBe('local/two');
  });
});
