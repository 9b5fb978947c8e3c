// A run with --debug, in this process, against a server on this machine.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { traceFile } from '../../adapters/trace/file-tracer.ts';
import { traceCommand } from '../../apps/commands/trace.ts';
import { sessionStore } from '../../apps/compose.ts';
import { openFolder } from '../../apps/folder/folder.ts';
import { openSession } from '../../apps/index.ts';
import type { StampedEvent } from '../../ports/event.ts';
import type { TraceRecord } from '../../ports/tracer.ts';
import { modelServer } from '../e2e/model-server.ts';

let loaded = 0;
vi.mock('../../apps/recording.ts', async (original) => {
  loaded += 1;
  return original();
});

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'larik-debug-'));
  vi.stubEnv('LARIK_HOME', join(root, 'home'));
  await settings({});
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

async function settings(value: object): Promise<void> {
  await mkdir(join(root, 'home', 'config'), { recursive: true });
  const own = { sandbox: { type: 'none' }, ...value };
  await writeFile(join(root, 'home', 'config', 'config.json'), JSON.stringify(own));
}

async function script(...answers: object[]): Promise<string> {
  const path = join(root, 'script.json');
  await writeFile(path, JSON.stringify(answers));
  return `script/${path}`;
}

/** One prompt in a session of its own, or one that is gone on with. */
async function run(options: Parameters<typeof openSession>[0], prompt = 'go') {
  const session = await openSession({ cwd: root, ...options });
  const events: StampedEvent[] = [];
  for await (const event of session.prompt(prompt, new AbortController().signal)) {
    events.push(event);
    if (event.type === 'permission_request') session.answer(event.request_id, { allow: true, always: false });
  }
  await session.dispose();
  return { id: session.id, path: session.path ?? '', events };
}

async function recordOf(path: string): Promise<TraceRecord[]> {
  const lines = (await readFile(traceFile(path), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as TraceRecord);
}

interface TraceArgs {
  id?: string;
  json?: boolean;
  cache?: boolean;
  written?: () => Promise<void>;
}

async function trace(args: TraceArgs = {}) {
  const sessions = sessionStore(await openFolder({ cwd: root }));
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text) };
  const isFile = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  const { id, json = false, cache = false } = args;
  const written = args.written ?? (() => Promise.resolve());
  const code = await traceCommand({ id, json, cache }, { sessions, isFile, written }, io);
  return { code, out: out.join(''), err: err.join('') };
}

describe('a run', () => {
  it('is not recorded unless asked for, and loads nothing for it', async () => {
    const before = loaded;
    const { path } = await run({ model: await script({ text: 'a' }) });
    expect((await readdir(dirname(path))).filter((name) => name.includes('trace'))).toEqual([]);
    expect(loaded).toBe(before);
    expect(await trace()).toMatchObject({
      code: 1,
      err: expect.stringContaining('no session of this project was recorded'),
    });
    expect(await trace({ id: '20' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('was not recorded'),
    });
    expect(await trace({ id: 'x' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('larik sessions list'),
    });
  });

  it.each([
    ['--debug', {}, { debug: true }],
    ['LARIK_DEBUG=1', { LARIK_DEBUG: '1' }, {}],
  ])('is recorded with %s: requests, answers, tools, questions', async (_name, env, options) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const call = { calls: [{ name: 'bash', input: { command: 'touch made' } }] };
    const model = await script(call, { text: 'done', usage: { input: 10, cache_read: 90 } });
    const { id, path, events } = await run({ model, ...options });
    expect(events.find((event) => event.type === 'notice')).toMatchObject({
      level: 'info',
      text: `everything is recorded in ${traceFile(path)}; larik trace ${id} shows it`,
    });
    const records = await recordOf(path);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1));
    const kinds: string[] = records.map((each) => (each.type === 'event' ? each.event.type : each.type));
    const told = [
      'start',
      'turn_start',
      'context',
      'request',
      'prefix',
      'answer',
      'permission_request',
      'permission_resolved',
      'tool_start',
      'tool_end',
      'done',
    ];
    const places = told.map((kind) => kinds.indexOf(kind));
    expect(places).not.toContain(-1);
    expect(kinds.at(-1)).toBe('done');
    expect(kinds.filter((kind) => kind.endsWith('_delta'))).toEqual([]);

    const text = await trace();
    expect(text.err).toBe(`larik trace: session ${id}, the latest that was recorded\n`);
    expect(text.code).toBe(0);
    for (const part of [
      /^\d\d:\d\d:\d\d {2}--- larik /,
      /#1 turn to script\/.*: 1 message, \d+ tools/,
      /#1 {3}prefix: 0 of 0 bytes shared, [\d,]+ sent: first of this run/,
      /#2 {3}prefix: ([\d,]+) of \1 bytes shared, [\d,]+ sent\n/,
      /#1 answer \(tool_use\) after \d+ ms: tool_use/,
      /permission asked for bash: /,
      /permission allowed after \d+ ms/,
      /tool bash \{"command":"touch made"\}/,
      /tool bash ended after \d+ ms/,
      /done \(end_turn\)\n$/,
    ])
      expect(text.out).toMatch(part);

    const table = await trace({ id: id.slice(0, -1), cache: true });
    expect(table.err).toBe('');
    expect(table.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^#.* model .* for .* sent .* shared .* of before .* cached .* of prompt .* cause$/,
      ),
      expect.stringMatching(/^1 .* turn .* 0 .* - .* first of this run$/),
      expect.stringMatching(/^2 .* turn .* 100\.0 % .* 90 .* 90\.0 %$/),
      expect.stringMatching(
        /^2 requests, none breaks the prefix; \d+\.\d % of all prompt tokens were cached$/,
      ),
    ]);
    expect(JSON.parse((await trace({ cache: true, json: true })).out)).toMatchObject([
      { run: 1, request: 1, purpose: 'turn', before_bytes: 0, broken: false },
      { run: 1, request: 2, cached_tokens: 90, prompt_tokens: 100, cause: null },
    ]);
    expect(JSON.parse((await trace({ json: true })).out)).toEqual(records);
  });

  it('that goes on adds to its record; a fork has none, and the latest recorded is shown', async () => {
    const model = await script({ text: 'a' }, { text: 'b' }, { text: 'c' });
    const first = await run({ model, debug: true });
    await run({ model, debug: true, resume: first.id });
    await writeFile(traceFile(first.path), `${await readFile(traceFile(first.path), 'utf8')}{"type":"ans`);
    const fork = await run({ model, resume: first.id, fork: true });
    expect(await stat(traceFile(fork.path)).catch(() => null)).toBe(null);
    const { out, err, code } = await trace({ cache: true });
    expect(code).toBe(0);
    expect(err).toContain(first.id);
    expect(err).toMatch(/line \d+ of .* is no whole record/);
    expect(out).toMatch(/^1\/1 .*first of this run$/m);
    expect(out).toMatch(/^2\/1 .*first of this run$/m);
    // A session's record is no session.
    expect((await sessionStore(await openFolder({ cwd: root })).list()).map(({ id }) => id).sort()).toEqual(
      [first.id, fork.id].sort(),
    );
  });

  it('is printed no faster than it is read', async () => {
    const { path } = await run({ model: await script({ text: 'a' }), debug: true });
    let read = 0;
    const { out } = await trace({ json: true, written: async () => void (read += 1) });
    expect((JSON.parse(out) as unknown[]).length).toBe(read);
    expect(await recordOf(path)).toHaveLength(read);
  });

  it('without a session, or with another value, is bad usage', async () => {
    const model = await script({ text: 'a' });
    await expect(run({ model, debug: true, keep: false })).rejects.toThrow('--debug records beside');
    vi.stubEnv('LARIK_DEBUG', '1');
    await expect(run({ model, keep: false })).rejects.toThrow('LARIK_DEBUG=1 records beside');
    vi.stubEnv('LARIK_DEBUG', 'yes');
    await expect(run({ model })).rejects.toThrow('LARIK_DEBUG: expected 1');
  });

  it('goes on where nothing can be recorded, and says so once', async () => {
    const model = await script({ text: 'a' }, { text: 'b' });
    const first = await run({ model });
    await writeFile(dirname(traceFile(first.path)), 'in the way');
    const { events } = await run({ model, debug: true, resume: first.id });
    const notices = events.filter((event) => event.type === 'notice');
    expect(notices.filter(({ text }) => text.includes('recorded'))).toMatchObject([
      { level: 'warning', text: expect.stringContaining('cannot be written') },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
  });
});

/** A proxy for plain HTTP that asks for nothing and sends on what it gets. */
async function proxy(): Promise<{ port: number; server: Server; asked: string[] }> {
  const { request } = await import('node:http');
  const asked: string[] = [];
  const server = createServer((from, to) => {
    asked.push(from.headers['proxy-authorization'] ?? '');
    // Whatever host was named, it is the server on this machine.
    const { port, pathname } = new URL(from.url ?? '');
    const on = request(
      { host: '127.0.0.1', port, path: pathname, method: from.method, headers: from.headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(to);
      },
    );
    from.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server, asked };
}

describe('the record of a run with keys', () => {
  const planted = new Map<string, string>();
  const key = (name: string): string => {
    const made =
      planted.get(name) ?? `${createHash('sha256').update(name).digest('hex').slice(0, 32)}-${name}`;
    planted.set(name, made);
    return made;
  };

  it('holds none of them: of variables, commands, headers, addresses, proxies', async () => {
    const known = ['environment', 'command', 'header', 'query', 'address', 'proxy'];
    const echo = () => `you sent ${known.map(key).join(' ')} and ${JSON.stringify(known.map(key))}`;
    const model = await modelServer((number) =>
      number % 2 === 0
        ? { calls: [{ name: 'bash', input: { command: `echo ${key('environment')} ${key('command')}` } }] }
        : number === 3
          ? {
              status: 400,
              body: JSON.stringify({ error: { message: `${echo()}; x-api-key: odd-form-of-a-key` } }),
            }
          : { text: echo() },
    );
    const through = await proxy();
    try {
      const { port } = new URL(model.url);
      const own = {
        type: 'openai-compatible',
        base_url: `http://model.invalid:${port}/v1`,
      };
      const headers = { 'x-team': `Token ${key('header')}`, 'x-plain': 'nobody reads it' };
      const printing = [process.execPath, '-e', 'console.log(process.argv[1])', key('command')];
      await settings({
        providers: {
          env: { ...own, api_key_env: 'MINE', headers },
          cmd: { ...own, api_key_command: printing, headers },
          // Not to be used so, but known by now.
          odd: { ...own, base_url: `http://user:${key('address')}@x.invalid/v1?api_key=${key('query')}` },
        },
      });
      vi.stubEnv('MINE', key('environment'));
      vi.stubEnv('HTTP_PROXY', `http://me:${key('proxy')}@127.0.0.1:${through.port}`);
      for (const [name, prompt] of [
        ['env', `use ${key('environment')}`],
        ['cmd', 'go'],
      ] as const) {
        const { path } = await run({ model: `${name}/m`, debug: true }, prompt);
        const text = await readFile(traceFile(path), 'utf8');
        expect(text).toContain('"http_request"');
        expect(text).toContain('"http_end"');
        expect(text).toContain('[key]');
        expect(text).not.toContain('nobody reads it');
        expect(text).not.toContain('odd-form-of-a-key');
        for (const [what, value] of planted) {
          // The other provider's command has not run yet: its key is not known, and nothing was sent of it.
          if (name === 'env' && what === 'command') continue;
          for (const form of [value.slice(0, 20), Buffer.from(value).toString('base64').slice(0, 24)])
            expect([what, text.includes(form)]).toEqual([what, false]);
        }
        for (const line of text.trimEnd().split('\n')) JSON.parse(line);
        const shown = [await trace({ json: true }), await trace(), await trace({ cache: true })];
        for (const { out, err } of shown)
          expect(`${out}${err}`).not.toContain(key('environment').slice(0, 20));
      }
      // The keys were really there.
      expect(through.asked[0]).toContain('Basic ');
      expect(model.headers.map(({ authorization }) => authorization)).toContain(`Bearer ${key('command')}`);
      expect(model.headers[0]?.['x-team']).toBe(`Token ${key('header')}`);
    } finally {
      through.server.closeAllConnections();
      await new Promise((resolve) => through.server.close(resolve));
      await model.close();
    }
  });
});
