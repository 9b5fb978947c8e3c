// What servers say of the models that they have, and what is made of it when they do not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPortError } from '../../ports/errors.ts';
import { type Answer, FixtureServer } from './fixture-server.ts';
import { adapters, testKey } from './providers.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const answer = (status: number, body: unknown, type = 'application/json'): Answer => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  splits: [],
  reset: false,
});

const list = (protocol: string) =>
  adapters[protocol]!(undefined, server.url).listModels!(new AbortController().signal);

async function errorOf(protocol: string): Promise<string | null> {
  try {
    return JSON.stringify(await list(protocol));
  } catch (error) {
    expect(String(error)).not.toContain(testKey);
    return isPortError(error, 'provider') ? error.kind : `unexpected: ${String(error)}`;
  }
}

describe.each([
  ['anthropic', '/v1/models?limit=1000', { 'x-api-key': testKey, 'anthropic-version': '2023-06-01' }],
  ['openai-responses', '/models', { authorization: `Bearer ${testKey}` }],
  ['openai-compat', '/models', { authorization: `Bearer ${testKey}` }],
])('the models of %s', (protocol, path, headers) => {
  it('are asked for with the key, and come with their windows in any of the usual words', async () => {
    const asked = server.answers([
      answer(200, {
        data: [
          { id: 'a', object: 'model', context_length: 4096 },
          { id: 'b', max_model_len: 8192 },
          { id: 'c', context_window: -1 },
          { id: 'a', context_length: 2048 },
        ],
      }),
    ]);
    expect(await list(protocol)).toEqual([
      { id: 'a', contextWindow: 2048 },
      { id: 'b', contextWindow: 8192 },
      { id: 'c' },
    ]);
    expect(asked()).toMatchObject([{ method: 'GET', url: path, headers }]);
  });

  it('are taken from a mere list', async () => {
    server.answers([answer(200, [{ id: 'a' }])]);
    expect(await list(protocol)).toEqual([{ id: 'a' }]);
  });

  it('are left out where their names are none', async () => {
    const rows = [
      { id: 7 },
      { id: '' },
      { id: 'a\u001b[2J' },
      { id: 'two words' },
      null,
      'x',
      { id: 'good' },
    ];
    server.answers([answer(200, { data: rows })]);
    expect(await list(protocol)).toEqual([{ id: 'good' }]);
  });

  it.each([
    ['a web page', answer(200, '<!doctype html><title>Hi</title>', 'text/html'), 'not_found'],
    ['a web page that calls itself JSON', answer(200, '<!doctype html>'), 'not_found'],
    ['nothing', answer(200, ''), 'not_found'],
    ['half of it', answer(200, '{"data":[{"id":'), 'not_found'],
    ['something else', answer(200, { data: { id: 'a' } }), 'not_found'],
    ['a wrong key', answer(401, { error: { message: `Wrong key ${testKey}` } }), 'auth'],
    ['no such address', answer(404, 'not here', 'text/plain'), 'not_found'],
    ['an error with a status of success', answer(200, { error: { message: 'Overloaded' } }), 'overloaded'],
    ['a broken connection', { ...answer(200, '{"data":['), reset: true }, 'stream_cut'],
  ])('are an error of the port for %s', async (_, given, kind) => {
    server.answers([given]);
    expect(await errorOf(protocol)).toBe(kind);
  });

  it('throw the reason of an abort', async () => {
    server.answers([{ ...answer(200, '{"data":['), hangs: true }]);
    const controller = new AbortController();
    const listing = adapters[protocol]!(undefined, server.url).listModels!(controller.signal);
    const reason = new Error('stop');
    controller.abort(reason);
    await expect(listing).rejects.toBe(reason);
  });
});

describe('a list of several pages', () => {
  it('is read to its end', async () => {
    const asked = server.answers([
      answer(200, { data: [{ id: 'a' }], has_more: true, last_id: 'a/1' }),
      answer(200, { data: [{ id: 'b' }], has_more: false, last_id: 'b' }),
    ]);
    expect(await list('anthropic')).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(asked().map(({ url }) => url)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=a%2F1',
    ]);
  });

  it('is not followed for ever', async () => {
    const asked = server.answers([answer(200, { data: [{ id: 'a' }], has_more: true, last_id: 'a' })]);
    expect(await list('anthropic')).toEqual([{ id: 'a' }]);
    expect(asked()).toHaveLength(5);
  });
});
