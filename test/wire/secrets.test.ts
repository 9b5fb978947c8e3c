// Keys that servers repeat in every way they can, over all protocols: no error and no record has one.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withNearModels } from '../../adapters/providers/decorators/near-models.ts';
import { endpointOf } from '../../adapters/providers/endpoints.ts';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';

import { fileTracer } from '../../adapters/trace/file-tracer.ts';
import { PrefixAudit } from '../../adapters/trace/prefix/audit.ts';
import { tracedModels } from '../../adapters/trace/traced-models.ts';
import { knownSecrets } from '../../apps/folder/known-secrets.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import { isPortError } from '../../ports/errors.ts';
import type { Models } from '../../ports/models.ts';
import type { ProviderConfig } from '../../ports/settings.ts';
import { agentHarness } from '../domain/agent-harness.ts';
import { outcomeOf } from './response-fixtures.ts';

/** A key; its beginning tells it from all others. */
const key = (name: string): string =>
  `${createHash('sha256').update(name).digest('hex').slice(0, 32)}-${name}`;

const planted = ['key', 'header', 'user', 'query', 'proxy'].map(key);

/** Where base64 puts a text depends on what stands before it. */
function encoded(text: string): string[] {
  return ['', ' ', '  '].map((before) =>
    Buffer.from(before + text)
      .toString('base64')
      .slice(4, 28),
  );
}

function leaks(text: string): string[] {
  const plain = text.replaceAll(/\\u00([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return planted.filter((each) =>
    [each.slice(0, 24), ...encoded(each)].some((form) => plain.includes(form) || text.includes(form)),
  );
}

/** All that was sent, and the same as relays write it. */
function told({ headers, url }: http.IncomingMessage): string {
  const words = [url ?? '', ...Object.values(headers).flat().map(String), ...planted];
  const basic = words.map((word) => Buffer.from(`user:${word}`).toString('base64'));
  return [...words, ...basic, ...words.map((word) => encodeURIComponent(word))].join(' ');
}

type Echo = (text: string, request: http.IncomingMessage, response: http.ServerResponse) => void;

const json = { 'content-type': 'application/json', 'x-should-retry': 'false' };
const sse = { 'content-type': 'text/event-stream' };
const oneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, ' ');

const echoes: Record<string, Echo> = {
  'a refusal': (text, _, response) =>
    void response.writeHead(401, json).end(JSON.stringify({ error: { message: text, code: text } })),
  'a refusal in a form of its own': (text, _, response) =>
    void response.writeHead(400, json).end(JSON.stringify([{ error: { details: [text], status: text } }])),
  'a refusal that is a text': (text, _, response) =>
    void response.writeHead(400, json).end(JSON.stringify({ error: text })),
  'a web page': (text, _, response) =>
    void response
      .writeHead(502, { ...json, 'content-type': 'text/html' })
      .end(`<!doctype html><title>${text}</title>${text}`),
  'the head': (text, _, response) =>
    void response
      .writeHead(400, oneLine(text), { ...json, 'x-request-id': oneLine(text), 'x-seen': oneLine(text) })
      .end(),
  'a redirect': (text, _, response) =>
    void response.writeHead(307, { ...json, location: `/moved?key=${encodeURIComponent(text)}` }).end(),
  'an error in a stream': (text, _, response) =>
    void response
      .writeHead(200, sse)
      .end(
        `event: error\ndata: ${JSON.stringify({ type: 'error', error: { message: text, code: 401 } })}\n\n`,
      ),
  'a 200 that is an error': (text, _, response) =>
    void response
      .writeHead(200, json)
      .end(JSON.stringify({ error: { message: text, code: 401 }, message: text })),
  'a coding that nobody knows': (text, _, response) =>
    void response.writeHead(200, { ...sse, 'content-encoding': oneLine(text) }).end('x'),
  'a long text, cut within a key': (text, _, response) =>
    void response.writeHead(400, json).end(`${'x'.repeat(580)} ${planted.join(' ')} ${text}`),
  'its list of models': (text, request, response) => {
    const ids = text.split(' ').map((id) => ({ id, name: `models/${id}`, model: id }));
    const listed = { data: ids, models: ids, has_more: true, last_id: text, nextPageToken: text };
    if (request.method === 'GET') response.writeHead(200, json).end(JSON.stringify(listed));
    else response.writeHead(404, json).end(JSON.stringify({ error: { message: `no model m` } }));
  },
};

let echo: Echo = echoes['a refusal']!;
const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => echo(told(request), request, response));
});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-keys-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const { info } = agentHarness([]).ports.models.resolve('');

/** The ways in which a key is given, beside a header, another address and a proxy that hold others. */
const ways: Record<string, Omit<ProviderConfig, 'type'>> = {
  'of a variable': { apiKeyEnv: 'MINE' },
  'that is written': { apiKey: key('key') },
  'of a command': {
    apiKeyCommand: [process.execPath, '-e', `process.stdout.write(${JSON.stringify(key('key'))})`],
  },
};

describe.each(['anthropic', 'openai', 'gemini', 'ollama', 'openai-compatible'])('over %s', (type) => {
  it.each(Object.keys(ways))('no error and no record repeats a key %s', async (way) => {
    const { port } = server.address() as AddressInfo;
    const own: ProviderConfig = {
      type,
      baseUrl: `http://models.test:${port}/v1`,
      headers: { 'x-team': `Token ${key('header')}` },
      ...ways[way],
    };
    const env = { MINE: key('key'), HTTP_PROXY: `http://me:${key('proxy')}@127.0.0.1:${port}` };
    // An address that is refused: what it holds is known all the same.
    const refused: ProviderConfig = {
      type,
      baseUrl: `http://user:${key('user')}@models.test/v1?key=${key('query')}`,
    };
    const secrets = knownSecrets({ own, refused }, env);
    const clock = fakeClock();
    const path = join(folder, `${type}-${way}`, 'events.jsonl');
    const tracer = fileTracer({ path, clock, secrets });
    const endpoint = endpointOf('own', own, {
      env,
      secrets,
      clock,
      ids: fakeIds(),
      fetch: createHttpFetch({ env }),
      modelConfig: () => undefined,
    });
    const asked = withNearModels(endpoint.make(), { clock, known: [] });
    const table: Models = { resolve: () => ({ provider: asked, model: 'm', info }) };
    const models = tracedModels(table, { tracer, audit: new PrefixAudit(), ownHeaders: ['x-team'] });
    const found: string[] = [];
    for (const [name, each] of Object.entries(echoes)) {
      echo = each;
      const { provider, model } = models.resolve('own/m');
      const { error } = await outcomeOf(provider, model);
      expect([name, isPortError(error, 'provider')]).toEqual([name, true]);
      const { message, facts } = error as { message: string; facts?: object };
      if (leaks(`${message} ${JSON.stringify(facts)}`).length > 0) found.push(`${name}: ${message}`);
    }
    tracer.close();
    for (const line of (await readFile(path, 'utf8')).split('\n')) {
      if (leaks(line).length > 0) found.push(`${leaks(line).join()} recorded: ${line.slice(0, 600)}`);
    }
    expect(found).toEqual([]);
  });
});
