// Servers that break the rules of HTTP or of their own API, behind every protocol and the vendors' real clients:
// the answer, or one error that says what to do; never a crash, never a hang.
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withStallGuard } from '../../adapters/providers/decorators/stall-guard.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { isPortError, type ProviderError } from '../../ports/errors.ts';
import { comparable, expectOneEnd } from './broken-streams.ts';
import { type Fixture, fixturesOf } from './fixture-server.ts';
import { adapters, testKey } from './providers.ts';
import { chunk, head, lastChunk, RawServer, type Reaction } from './raw-server.ts';
import { type Outcome, outcomeOf, question } from './response-fixtures.ts';

const server = new RawServer();
const elsewhere = new RawServer();
beforeAll(async () => {
  await server.start();
  await elsewhere.start();
});
afterAll(async () => {
  await server.stop();
  await elsewhere.stop();
});
beforeEach(() => {
  server.requests.length = 0;
});

const timeoutMs = 20_000;
const utf8 = (text: string): Buffer => Buffer.from(text);

function plainText(protocol: string): Fixture {
  return fixturesOf(protocol).find(({ name }) => name === 'plain-text')!;
}

async function outcome(protocol: string, reaction: Reaction): Promise<Outcome> {
  server.reaction = reaction;
  const fixture = plainText(protocol);
  const found = await outcomeOf(
    adapters[protocol]!(fixture.expect.provider, server.url),
    fixture.expect.requestModel,
  );
  expectOneEnd(found, protocol);
  return found;
}

async function errorOf(protocol: string, reaction: Reaction): Promise<ProviderError> {
  const { error } = await outcome(protocol, reaction);
  if (!isPortError(error, 'provider')) throw new Error(`no error: ${String(error)}`);
  expect(JSON.stringify([error, error.message, error.facts])).not.toContain(testKey);
  expect(error.facts.remedy).toBeTruthy();
  return error;
}

const answers =
  (status: string, type: string, body: string | Buffer, headers: Record<string, string> = {}): Reaction =>
  (socket) =>
    void socket.end(
      Buffer.concat([utf8(head(status, { 'content-type': type, ...headers })), Buffer.from(body)]),
    );

/** Writes the pieces one by one, each when the one before has gone out. */
async function write(socket: Socket, pieces: Iterable<Buffer>): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
}

function* bytesOf(body: Buffer): Iterable<Buffer> {
  for (let at = 0; at < body.length; at += 1) yield body.subarray(at, at + 1);
}

/** What reads as if the server had done nothing odd. */
const harmless: Record<string, (fixture: Fixture) => Reaction> = {
  'gzip unasked': (fixture) => coded('gzip', gzipSync(fixture.body), fixture),
  'deflate unasked': (fixture) => coded('deflate', deflateSync(fixture.body), fixture),
  'deflate without its head': (fixture) => coded('deflate', deflateRawSync(fixture.body), fixture),
  'br unasked': (fixture) => coded('br', brotliCompressSync(fixture.body), fixture),
  'gzip twice': (fixture) => coded('gzip, gzip', gzipSync(gzipSync(fixture.body)), fixture),
  'gzip, byte by byte': (fixture) => async (socket) => {
    socket.write(head('200 OK', { ...fixture.headers, 'content-encoding': 'gzip' }));
    await write(socket, bytesOf(gzipSync(fixture.body)));
    socket.end();
  },
  'byte by byte': (fixture) => async (socket) => {
    socket.write(head('200 OK', fixture.headers));
    await write(socket, bytesOf(fixture.body));
    socket.end();
  },
  'chunks of one byte': (fixture) => (socket) => {
    const body = [...bytesOf(fixture.body)].map(chunk);
    socket.end(
      Buffer.concat([
        utf8(head('200 OK', { ...fixture.headers, 'transfer-encoding': 'chunked' })),
        ...body,
        utf8(lastChunk),
      ]),
    );
  },
  'trailers after the last chunk': (fixture) => (socket) => {
    socket.write(head('200 OK', { ...fixture.headers, 'transfer-encoding': 'chunked', trailer: 'x-sum' }));
    socket.end(Buffer.concat([chunk(fixture.body), utf8('0\r\nx-sum: 1\r\n\r\n')]));
  },
  'more bytes than it said': (fixture) =>
    answers('200 OK', type(fixture), Buffer.concat([fixture.body, utf8('data: {"error":"junk"}\n\n')]), {
      'content-length': String(fixture.body.length),
    }),
  'a hundred "continue" first': (fixture) => (socket, request) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100));
    void answers('200 OK', type(fixture), fixture.body)(socket, request);
  },
  'a head of 32 KB': (fixture) =>
    answers('200 OK', type(fixture), fixture.body, { 'x-long': 'a'.repeat(32_000), 'x-odd': '\u00ff' }),
  'HTTP/1.0': (fixture) => (socket) =>
    void socket.end(
      Buffer.concat([utf8(`HTTP/1.0 200 OK\r\ncontent-type: ${type(fixture)}\r\n\r\n`), fixture.body]),
    ),
  'text/plain': (fixture) => answers('200 OK', 'text/plain', fixture.body),
  'text/html for a stream': (fixture) => answers('200 OK', 'text/html', fixture.body),
  'application/json for a stream': (fixture) => answers('200 OK', 'application/json', fixture.body),
  'no content-type': (fixture) => (socket) =>
    void socket.end(Buffer.concat([utf8(head('200 OK')), fixture.body])),
  'a byte order mark': (fixture) =>
    answers('200 OK', type(fixture), Buffer.concat([utf8('\ufeff'), fixture.body])),
  'blank lines between': (fixture) =>
    answers('200 OK', type(fixture), Buffer.concat([utf8('\n\n\r\n\n'), fixture.body])),
  'a status without words': (fixture) => answers('200', type(fixture), fixture.body),
};

const type = (fixture: Fixture): string => fixture.headers['content-type'] ?? '';

function coded(coding: string, body: Buffer, fixture: Fixture): Reaction {
  return answers('200 OK', type(fixture), body, { 'content-encoding': coding });
}

/** Where a connection may break off or fall silent. */
const stages: Record<string, (fixture: Fixture) => Buffer> = {
  'before the head': () => utf8(''),
  'in the head': () => utf8('HTTP/1.1 200 OK\r\ncontent-ty'),
  'after the head': (fixture) => utf8(head('200 OK', fixture.headers)),
  'in the middle': (fixture) => {
    const half = fixture.body.subarray(0, fixture.body.length / 2);
    return Buffer.concat([
      utf8(head('200 OK', { ...fixture.headers, 'transfer-encoding': 'chunked' })),
      chunk(half),
    ]);
  },
  'in the middle of what is compressed': (fixture) => {
    const packed = gzipSync(fixture.body);
    return Buffer.concat([
      utf8(head('200 OK', { ...fixture.headers, 'content-encoding': 'gzip' })),
      packed.subarray(0, packed.length / 3),
    ]);
  },
};

describe.each(Object.keys(adapters))('a hostile server behind %s', (protocol) => {
  it.each(Object.keys(harmless))(
    'does no harm with %s',
    async (name) => {
      const fixture = plainText(protocol);
      const found = await outcome(protocol, harmless[name]!(fixture));
      expect(comparable(found)).toBe(
        comparable(await outcome(protocol, answers('200 OK', type(fixture), fixture.body))),
      );
      expect(found.error).toBeNull();
    },
    timeoutMs,
  );

  it(
    'may end its lines with CR alone',
    async () => {
      const fixture = plainText(protocol);
      const text = fixture.body.toString('utf8').replaceAll(/\r?\n/g, '\r');
      const found = await outcome(protocol, answers('200 OK', type(fixture), text));
      // Lines of JSON end with LF; what has none is no line.
      if (protocol !== 'ollama') expect(found.done?.message.blocks).toEqual(fixture.expect.message?.blocks);
      else expect(isPortError(found.error, 'provider')).toBe(true);
    },
    timeoutMs,
  );

  it(
    'may send what is no UTF-8',
    async () => {
      const fixture = plainText(protocol);
      for (const at of [10, 60, fixture.body.length - 20]) {
        const body = Buffer.from(fixture.body);
        body.fill(0xff, at, at + 2);
        await outcome(protocol, answers('200 OK', type(fixture), body));
      }
    },
    timeoutMs,
  );

  it(
    'may answer twice to one request',
    async () => {
      const fixture = plainText(protocol);
      const headers = {
        ...fixture.headers,
        connection: 'keep-alive',
        'content-length': String(fixture.body.length),
      };
      const once = Buffer.concat([utf8(head('200 OK', headers)), fixture.body]);
      server.reaction = (socket) => void socket.write(Buffer.concat([once, once.subarray(0, -1)]));
      const provider = adapters[protocol]!(fixture.expect.provider, server.url);
      for (let i = 0; i < 3; i += 1) {
        const found = await outcomeOf(provider, fixture.expect.requestModel);
        expect(found.done?.message.blocks).toEqual(fixture.expect.message?.blocks);
      }
    },
    timeoutMs,
  );

  it.each(Object.keys(stages))(
    'may break off %s',
    async (stage) => {
      const bytes = stages[stage]!(plainText(protocol));
      const endings: Reaction[] = [
        (socket) => void socket.end(bytes),
        (socket) => void socket.write(bytes, () => socket.resetAndDestroy()),
      ];
      for (const reaction of endings) {
        const { kind, facts } = await errorOf(protocol, reaction);
        expect([kind, facts.retryable]).toEqual(['stream_cut', true]);
      }
    },
    timeoutMs,
  );

  it.each(Object.keys(stages))(
    'may fall silent %s',
    async (stage) => {
      const fixture = plainText(protocol);
      const bytes = stages[stage]!(fixture);
      const clock = fakeClock();
      let reached = (): void => {};
      const silent = new Promise<void>((resolve) => {
        reached = resolve;
      });
      server.reaction = (socket) => {
        if (bytes.length === 0) reached();
        else socket.write(bytes, () => setImmediate(reached));
      };
      const provider = withStallGuard(adapters[protocol]!(fixture.expect.provider, server.url), {
        clock,
        timeoutMs: 300_000,
      });
      const running = outcomeOf(provider, fixture.expect.requestModel);
      await silent;
      // What is still under way here counts as a sign of life, so silence may begin anew.
      let end: Outcome | null = null;
      do {
        await clock.advance(300_001);
        end = await Promise.race([running, new Promise<null>((resolve) => setImmediate(resolve, null))]);
      } while (end === null);
      const { error } = end;
      expect(isPortError(error, 'provider') && [error.kind, error.facts.retryable]).toEqual([
        'stalled',
        true,
      ]);
    },
    timeoutMs,
  );

  const keepAlive = protocol === 'ollama' ? '\n' : ': keep-alive\n\n';

  it(
    'is waited for while it says that it lives',
    async () => {
      const fixture = plainText(protocol);
      const clock = fakeClock();
      let socket: Socket | null = null;
      server.reaction = (given) => {
        socket = given;
        given.write(head('200 OK', fixture.headers));
      };
      let heard = (): void => {};
      const provider = withStallGuard(adapters[protocol]!(fixture.expect.provider, server.url), {
        clock,
        timeoutMs: 5000,
      });
      const watch = { onActivity: () => heard() };
      const signOfLife = () =>
        new Promise<void>((resolve) => {
          heard = resolve;
        });
      const first = signOfLife();
      const events: string[] = [];
      const running = (async () => {
        const stream = provider.stream(
          question(fixture.expect.requestModel),
          new AbortController().signal,
          watch,
        );
        for await (const event of stream) events.push(event.kind);
      })();
      await first;
      for (let second = 0; second < 30; second += 1) {
        const sign = signOfLife();
        socket!.write(keepAlive);
        await sign;
        await clock.advance(1000);
      }
      socket!.end(fixture.body);
      await running;
      expect(events.at(-1)).toBe('done');
    },
    timeoutMs,
  );

  it(
    'may be left while it says for ever that it lives',
    async () => {
      const fixture = plainText(protocol);
      const controller = new AbortController();
      const reason = new Error('stop');
      let gone: Promise<void> = Promise.resolve();
      server.reaction = (socket) => {
        gone = new Promise((resolve) => socket.once('close', () => resolve()));
        socket.write(head('200 OK', fixture.headers));
        const more = (): void => {
          if (socket.destroyed) return;
          socket.write(keepAlive);
          setImmediate(more);
        };
        more();
      };
      let signs = 0;
      const watch = {
        onActivity: () => {
          signs += 1;
          if (signs === 20) controller.abort(reason);
        },
      };
      const stream = adapters[protocol]!(fixture.expect.provider, server.url).stream(
        question(fixture.expect.requestModel),
        controller.signal,
        watch,
      );
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toBe(reason);
      await gone;
    },
    timeoutMs,
  );

  it.each([301, 302, 303, 307, 308])(
    'redirects with %i: the key is not sent on',
    async (status) => {
      const location = `${elsewhere.url}/v1/other`;
      const error = await errorOf(
        protocol,
        answers(`${status} Moved`, 'text/html', '<html>moved</html>', { location }),
      );
      expect([error.kind, error.facts.retryable]).toEqual(['invalid_request', false]);
      expect(error.facts.remedy).toContain('base_url');
      expect([server.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
    },
    timeoutMs,
  );

  it.each<[string, Reaction, string, boolean]>([
    [
      'a page for an answer',
      answers('200 OK', 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'),
      'not_found',
      false,
    ],
    [
      'a page for an error',
      answers('502 Bad Gateway', 'text/html', '<html><title>502 Bad</title></html>'),
      'server',
      true,
    ],
    ['nothing', answers('200 OK', 'text/event-stream', ''), 'stream_cut', true],
    ['no JSON for JSON', answers('200 OK', 'application/json', ''), 'stream_cut', true],
    ['an empty object', answers('200 OK', 'application/json', '{}'), 'stream_cut', true],
    ['null', answers('200 OK', 'application/json', 'null'), 'stream_cut', true],
    ['204', answers('204 No Content', 'text/plain', ''), 'stream_cut', true],
    [
      'an unknown compression',
      answers('200 OK', 'text/event-stream', 'x', { 'content-encoding': 'zstd' }),
      'server',
      false,
    ],
    [
      'no gzip for gzip',
      answers('200 OK', 'text/event-stream', 'data: {}\n\n', { 'content-encoding': 'gzip' }),
      'stream_cut',
      true,
    ],
    [
      'a bad chunk',
      answers('200 OK', 'text/event-stream', 'zz\r\nhello\r\n', { 'transfer-encoding': 'chunked' }),
      'stream_cut',
      true,
    ],
    ['another protocol', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'server', false],
    [
      'a switch of protocols',
      (socket) => void socket.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'stream_cut',
      true,
    ],
    [
      'a head without end',
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(400_000)}`),
      'server',
      false,
    ],
  ])(
    'may send %s',
    async (_, reaction, kind, retryable) => {
      const error = await errorOf(protocol, reaction);
      expect([error.kind, error.facts.retryable]).toEqual([kind, retryable]);
    },
    timeoutMs,
  );

  it.each([
    { error: { message: 'the model is odd', type: 'odd' } },
    { error: 'the model is odd' },
    { message: 'the model is odd' },
    { detail: 'the model is odd' },
  ])(
    'may call an error a success: %j',
    async (body) => {
      const error = await errorOf(protocol, answers('200 OK', 'application/json', JSON.stringify(body)));
      expect(error.kind).toBe('server');
      expect(error.message).toContain('the model is odd');
    },
    timeoutMs,
  );

  it(
    'may word a refusal in any shape',
    async () => {
      const said = `the key ${testKey} is odd\u001b[31m`;
      const shapes: [string, string, boolean][] = [
        ['application/json', JSON.stringify({ error: { message: said } }), true],
        ['application/json', JSON.stringify({ error: said }), true],
        ['application/json', JSON.stringify({ message: said, code: 'x' }), true],
        ['application/problem+json', JSON.stringify({ type: 'x', title: 'Bad', detail: said }), true],
        ['application/json', JSON.stringify([{ error: { message: said } }]), true],
        ['text/plain', said, true],
        ['text/html', `<html><head><title>${said}</title></head></html>`, true],
        ['application/json', '', false],
        ['application/json', '{"error":', false],
        ['application/json', 'null', false],
        ['application/json', '[[[', false],
        ['application/json', `{"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, false],
        ['application/octet-stream', '\u0000\u0001', false],
      ];
      for (const [kind, body, tells] of shapes) {
        const error = await errorOf(protocol, answers('400 Bad Request', kind, body));
        expect([error.kind, error.facts.status], body.slice(0, 60)).toEqual(['invalid_request', 400]);
        if (tells) expect(error.message).toContain('is odd');
        // oxlint-disable-next-line no-control-regex -- that is what it is about
        expect(error.message).not.toMatch(/[\u0000-\u001f]/);
      }
    },
    timeoutMs,
  );
});
