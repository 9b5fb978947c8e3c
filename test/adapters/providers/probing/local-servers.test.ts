import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpFetch } from '../../../../adapters/providers/http/http-fetch.ts';
import { ModelTable } from '../../../../adapters/providers/models.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { LoadedSettings } from '../../../../ports/settings.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import { JsonServer } from './json-server.ts';

const server = new JsonServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.serve({}));

function table(
  models: LoadedSettings['models'] = {},
  clock: Clock = fakeClock(),
  baseUrl = `${server.url}/v1`,
) {
  return new ModelTable({
    settings: {
      model: null,
      roles: { mine: 'box/m' },
      models,
      providers: {
        box: { type: 'openai-compatible', baseUrl },
        far: { type: 'openai-compatible', baseUrl: 'https://models.example/v1' },
      },
    },
    env: {},
    clock,
    ids: fakeIds(),
    fetch: createHttpFetch({ env: {} }),
  });
}

/** Where a llama.cpp is asked of the model, without having it load that. */
const props = '/props?model=m&autoload=false';

const signal = new AbortController().signal;

/** What is known of the model after the server was asked, and what was told. */
async function learned(ref = 'box/m', models = table()) {
  const told = await models.learn(ref, signal);
  const { contextWindow, maxOutput, images } = models.resolve(ref).info;
  return { contextWindow, maxOutput, images, told: told.map(({ code, text }) => `${code}: ${text}`) };
}

describe('a local Chat Completions server', () => {
  it('is LM Studio: the loaded window, and what the model sees', async () => {
    const row = { id: 'm', type: 'vlm', state: 'loaded', max_context_length: 131_072 };
    server.serve({ '/api/v0/models': { data: [{ ...row, loaded_context_length: 4096 }] } });
    const found = await learned();
    expect(found).toMatchObject({ contextWindow: 4096, maxOutput: 1024, images: true });
    expect(found.told).toEqual([
      'small_window: box/m has a window of 4,096 tokens only, which larik fills soon. ' +
        'Load the model again in LM Studio with a longer context length (it takes up to 131,072).',
    ]);
  });

  it('is asked again while LM Studio has not loaded the model, and tells nothing twice', async () => {
    const row = { id: 'm', type: 'llm', state: 'not-loaded', max_context_length: 8192 };
    server.serve({ '/api/v0/models': { data: [row] } });
    const models = table();
    expect(await learned('box/m', models)).toMatchObject({ contextWindow: 8192, images: false });
    expect((await learned('box/m', models)).told).toEqual([]);
    server.serve({ '/api/v0/models': { data: [{ ...row, loaded_context_length: 6000 }] } });
    expect(await learned('mine', models)).toMatchObject({ contextWindow: 6000 });
    const asked = server.asked.length;
    await models.learn('box/m', signal);
    expect(server.asked.length).toBe(asked);
  });

  it.each([
    [{ chat_template: 'no calls here' }, true],
    [{ chat_template: '{% if tools %}' }, false],
    [{ chat_template: 'x', chat_template_caps: { supports_tools: true } }, false],
    [{}, false],
  ])('is llama.cpp: %j', async (more, isTold) => {
    server.serve({ [props]: { default_generation_settings: { n_ctx: 20_000 }, ...more } });
    const found = await learned();
    expect(found.contextWindow).toBe(20_000);
    expect(found.told.some((text) => text.startsWith('no_tools') && text.includes('--jinja'))).toBe(isTold);
  });

  it('is asked again while a llama.cpp with several models has not loaded this one', async () => {
    const row = (value: string) => ({ '/v1/models': { data: [{ id: 'm', status: { value } }] } });
    server.serve(row('unloaded'));
    const models = table();
    expect(await learned('box/m', models)).toMatchObject({ contextWindow: 32_768, told: [] });
    server.serve({ ...row('loaded'), [props]: { default_generation_settings: { n_ctx: 20_000 } } });
    expect(await learned('box/m', models)).toMatchObject({ contextWindow: 20_000 });
    const asked = server.asked.length;
    await models.learn('box/m', signal);
    expect(server.asked.length).toBe(asked);
  });

  it('is vLLM: what it was started with', async () => {
    server.serve({
      '/v1/models': {
        data: [
          { id: 'other', max_model_len: 1000 },
          { id: 'm', max_model_len: 9000 },
        ],
      },
    });
    const found = await learned();
    expect(found.contextWindow).toBe(9000);
    expect(found.told[0]).toContain('--max-model-len');
  });

  it('is told of where it gives less than the settings say, which count', async () => {
    server.serve({ [props]: { default_generation_settings: { n_ctx: 8192 } } });
    const found = await learned('box/m', table({ 'box/m': { contextWindow: 65_536, images: true } }));
    expect(found).toMatchObject({ contextWindow: 65_536, images: true });
    expect(found.told).toEqual([
      'window_smaller: The settings give box/m a window of 65,536 tokens, but the server gives it 8,192. ' +
        'Start llama-server with a larger -c (each of its slots gets a part of it).',
    ]);
  });

  it.each([
    { '/api/v0/models': { data: 'x' }, [props]: [], '/v1/models': null },
    {
      '/api/v0/models': { data: [null, { id: 'm', type: 3 }] },
      [props]: { default_generation_settings: 1 },
    },
    { [props]: { default_generation_settings: { n_ctx: -1 } } },
    {
      [props]: { default_generation_settings: { n_ctx: 1e300 } },
      '/v1/models': { data: [{ id: 'm', max_model_len: '9' }] },
    },
    {},
  ])('may say what it likes: %j', async (answers) => {
    server.serve(answers);
    expect(await learned()).toMatchObject({ contextWindow: 32_768, told: [] });
  });

  it('is asked again at the next turn where it did not answer', async () => {
    const models = table();
    server.down = true;
    expect(await learned('box/m', models)).toMatchObject({ contextWindow: 32_768 });
    server.serve({ [props]: { default_generation_settings: { n_ctx: 20_000 } } });
    expect(await learned('box/m', models)).toMatchObject({ contextWindow: 20_000 });
  });

  it('has two seconds', async () => {
    server.hangs = true;
    const clock = fakeClock();
    const learning = table({}, clock).learn('box/m', signal);
    await clock.whenSleeping();
    await server.whenAsked(3);
    await clock.advance(2000);
    expect(await learning).toEqual([]);
  });

  it('does not hold up an abort', async () => {
    server.hangs = true;
    const controller = new AbortController();
    const reason = new Error('stop');
    const learning = table().learn('box/m', controller.signal);
    const refused = expect(learning).rejects.toBe(reason);
    await server.whenAsked(3);
    controller.abort(reason);
    await refused;
  });
});

describe('what is not local', () => {
  it('is never asked', async () => {
    const models = table();
    for (const ref of ['far/m', 'nobody/m', 'anthropic/claude-opus-5-5']) {
      expect(await models.learn(ref, signal)).toEqual([]);
    }
    expect(server.asked).toEqual([]);
  });
});
