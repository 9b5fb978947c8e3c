import { describe, expect, it } from 'vitest';
import { chooseModel, findConnections } from '../../../adapters/providers/choose.ts';
import { defaultModelOf } from '../../../adapters/providers/catalog/defaults.ts';
import { type Probe, servedModels } from '../../../adapters/providers/served-models.ts';

const nothing: Probe = () => Promise.resolve(null);

/** Servers that run here: a list of models by the address that is asked. */
const running =
  (servers: Record<string, unknown>): Probe =>
  (url) =>
    Promise.resolve(servers[url] ?? null);

const studio = {
  'http://127.0.0.1:1234/v1/models': {
    data: [{ id: 'text-embedding-nomic' }, { id: 'bad id; rm' }, { id: 'qwen/qwen3-8b' }, { id: 'gemma' }],
  },
};
const tags = (...models: object[]) => ({ 'http://127.0.0.1:11434/api/tags': { models } });
const ollama = tags({ name: 'qwen3:8b' });

describe('the model when nothing chose one', () => {
  it.each([
    ['a key of Anthropic', { ANTHROPIC_API_KEY: 'k' }, studio, 'anthropic', 'ANTHROPIC_API_KEY is set'],
    ['a key of OpenAI', { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }, {}, 'openai', 'OPENAI_API_KEY is set'],
    [
      'either key of Gemini',
      { GOOGLE_API_KEY: 'k', GROQ_API_KEY: 'k' },
      {},
      'gemini',
      'GOOGLE_API_KEY is set',
    ],
    ['a key of a preset', { XAI_API_KEY: 'k', GROQ_API_KEY: 'k' }, ollama, 'xai', 'XAI_API_KEY is set'],
  ])('is the vendor’s default with %s', async (_, env, servers, provider, because) => {
    const chosen = await chooseModel({ env, probe: running(servers) });
    expect(chosen).toEqual({ ref: defaultModelOf(provider), because });
  });

  it.each([
    ['a running Ollama', { ...studio, ...ollama }, 'ollama/qwen3:8b'],
    ['Ollama without models', { ...studio, ...tags() }, 'lmstudio/qwen/qwen3-8b'],
    ['a running LM Studio', studio, 'lmstudio/qwen/qwen3-8b'],
    [
      'the model that LM Studio has loaded',
      {
        ...studio,
        'http://127.0.0.1:1234/api/v0/models': {
          data: [null, { id: 'qwen/qwen3-8b', state: 'not-loaded' }, { id: 'gemma', state: 'loaded' }],
        },
      },
      'lmstudio/gemma',
    ],
    ['nonsense from a server', { 'http://127.0.0.1:1234/v1/models': { data: 'x' } }, 'demo/demo'],
    ['nothing', {}, 'demo/demo'],
  ])('with %s', async (_, servers, expected) => {
    const { ref } = await chooseModel({ env: { ANTHROPIC_API_KEY: ' ' }, probe: running(servers) });
    expect(ref).toBe(expected);
  });

  it('takes the newest model of Ollama that can call tools and runs there', async () => {
    const abilities: Record<string, unknown> = {
      newest: { capabilities: ['completion'] },
      newer: { capabilities: ['completion', 'tools'] },
      older: { capabilities: ['completion', 'tools'] },
      odd: 3,
    };
    const rows = tags(
      { name: 'older', modified_at: '2026-01-01' },
      { name: 'newer', modified_at: '2026-02-01' },
      { name: 'odd', modified_at: 5 },
      { name: 'newest', modified_at: '2026-03-01' },
      { name: 'big-cloud', modified_at: '2026-04-01', remote_host: 'https://ollama.com' },
      { name: 'nomic-embed', modified_at: '2026-05-01' },
    );
    const show: Probe = async (url, _, body) =>
      url.endsWith('/api/show') ? abilities[(body as { model: string }).model] : running(rows)(url, 300);
    expect((await chooseModel({ env: {}, probe: show })).ref).toBe('ollama/newer');
    expect((await chooseModel({ env: {}, probe: running(rows) })).ref).toBe('ollama/newest');
    const [found] = await findConnections({ env: {}, probe: show });
    expect(found?.note).toBe('It also offers older, newest, odd.');
  });

  it('looks for Ollama where OLLAMA_HOST says', async () => {
    const probe = running({ 'http://box.test:9/api/tags': { models: [{ name: 'm' }] } });
    expect((await chooseModel({ env: { OLLAMA_HOST: 'box.test:9' }, probe })).ref).toBe('ollama/m');
  });

  it('takes no other server for an Ollama', async () => {
    const other: Probe = () => Promise.resolve({ data: [] });
    expect(await servedModels('http://127.0.0.1:11434', true, other)).toBeNull();
  });

  it('asks no server where a key is set', async () => {
    const probe = () => Promise.reject(new Error('asked'));
    await expect(chooseModel({ env: { OPENAI_API_KEY: 'k' }, probe })).resolves.toBeTruthy();
  });
});

describe('what is there to connect to', () => {
  it('gives the command line for each key and server that was found', async () => {
    const env = { OPENROUTER_API_KEY: 'k', OPENAI_API_KEY: 'k', GROQ_API_KEY: '' };
    const found = await findConnections({ env, probe: running(studio) });
    expect(found.map(({ found: what, command }) => [what, command])).toEqual([
      ['OPENAI_API_KEY', `larik --model ${defaultModelOf('openai')} -p "…"`],
      ['OPENROUTER_API_KEY', `larik --model ${defaultModelOf('openrouter')} -p "…"`],
      ['http://127.0.0.1:1234/v1', 'larik --model lmstudio/qwen/qwen3-8b -p "…"'],
    ]);
    expect(found[2]?.note).toBe('It also offers gemma.');
  });

  it('finds nothing where nothing is', async () => {
    expect(await findConnections({ env: {}, probe: nothing })).toEqual([]);
  });
});
