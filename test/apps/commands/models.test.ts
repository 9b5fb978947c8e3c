import { describe, expect, it } from 'vitest';
import { providerStates } from '../../../adapters/providers/overview.ts';
import type { Probe } from '../../../adapters/providers/served-models.ts';
import { modelsCommand } from '../../../apps/commands/models.ts';
import { listProviders } from '../../../apps/commands/providers/list.ts';
import type { ModelConfig, ProviderConfig } from '../../../ports/settings.ts';

const studio: Probe = (url, timeoutMs) =>
  Promise.resolve(
    // Where a list is looked at, a busy machine is waited for.
    url === 'http://127.0.0.1:1234/v1/models' && timeoutMs > 1000
      ? { data: [{ id: 'qwen3-8b' }] }
      : url.startsWith('http://127.0.0.1:4000/')
        ? undefined
        : null,
  );

interface Here {
  env?: Record<string, string>;
  providers?: Record<string, ProviderConfig>;
  models?: Record<string, ModelConfig>;
}

async function run(command: 'models' | 'providers', here: Here = {}, filter = '', json = false) {
  const settings = { providers: here.providers ?? {}, models: here.models ?? {} };
  const states = await providerStates({ settings, env: here.env ?? {}, probe: studio });
  const seen = { out: '', err: '' };
  const io = {
    stdout: (text: string) => void (seen.out += text),
    stderr: (text: string) => void (seen.err += text),
  };
  const code =
    command === 'models'
      ? modelsCommand({ filter, json, settings, states }, io)
      : listProviders(states, json, io);
  return { code, ...seen, lines: seen.out.trimEnd().split('\n') };
}

describe('larik models', () => {
  it('lists the models of usable providers first, and marks the others', async () => {
    const { out, code } = await run('models', { env: { OPENAI_API_KEY: 'sk-secret' } });
    const heads = out.split('\n').filter((line) => /^[\w-]+: /.test(line));
    expect(heads.slice(0, 3)).toEqual([
      'openai: key: OPENAI_API_KEY',
      'lmstudio: runs, 1 model',
      'anthropic: no key (ANTHROPIC_API_KEY)',
    ]);
    expect(heads).toContain('gemini: no key (GEMINI_API_KEY or GOOGLE_API_KEY)');
    expect(out).not.toContain('sk-secret');
    expect(code).toBe(0);
  });

  it('shows windows, output limits, prices and images in columns', async () => {
    const { lines } = await run('models', {}, 'anthropic/claude-opus-5');
    expect(lines).toEqual([
      'anthropic: no key (ANTHROPIC_API_KEY)',
      '                          window output    $in/$out',
      'anthropic/claude-opus-5       1M   128k        5/25 img',
      'anthropic/claude-opus-5-5     1M   128k        4/20 img',
      '',
      'openrouter: no key (OPENROUTER_API_KEY)',
      '                                        window output    $in/$out',
      'openrouter/anthropic/claude-opus-5          1M   128k        5/25 img',
      'openrouter/anthropic/claude-opus-5-fast     1M   128k       10/50 img',
      'openrouter/anthropic/claude-opus-5.5        1M   128k        4/20 img',
    ]);
  });

  it.each(['models', 'providers'] as const)('keeps %s to 80 columns', async (command) => {
    const { lines } = await run(command);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has the columns of a long name in the next line', async () => {
    const { lines } = await run('models', {}, 'llama4-maverick-instruct-basic');
    expect(lines.slice(2)).toEqual([
      'fireworks/accounts/fireworks/models/llama4-maverick-instruct-basic',
      `${' '.repeat(48)}     1M    16k   0.22/0.88`,
    ]);
  });

  it('takes a provider or a part of a name, in any case', async () => {
    const { lines } = await run('models', {}, 'GROQ');
    expect(lines.slice(2).filter((line) => !/^(groq\/| )/.test(line))).toEqual([]);
    const { out } = await run('models', {}, 'gpt-OSS-120b');
    expect(out).toMatch(/^groq\/openai\/gpt-oss-120b /m);
    expect(out).toMatch(/^cerebras\/gpt-oss-120b /m);
  });

  it('says that nothing matches, and what may have been meant', async () => {
    expect(await run('models', {}, 'claud-opus-5-5')).toMatchObject({
      code: 1,
      out: '',
      err: 'larik models: no provider or known model matches claud-opus-5-5; did you mean anthropic/claude-opus-5-5 or anthropic/claude-opus-4-5 or anthropic/claude-opus-5?\n',
    });
    expect(await run('models', {}, 'vllm')).toMatchObject({
      code: 1,
      err: 'larik models: no model of vllm is known here (does not run); any that it has can be named\n',
    });
    expect(await run('models', {}, 'zzzzzzzzz', true)).toMatchObject({ code: 1, out: '[]\n' });
  });

  it('lists what the settings say before what the catalog says', async () => {
    const prices = { input: 0.5, output: 1, cacheRead: 0, cacheWrite: 0 };
    const { lines } = await run(
      'models',
      {
        providers: { work: { type: 'anthropic', baseUrl: 'https://proxy.test', apiKey: 'sk-secret' } },
        models: {
          'work/claude-opus-5-5': { contextWindow: 200_000, prices },
          'work/own': { contextWindow: 16_000, images: true },
        },
      },
      'work',
    );
    expect(lines[0]).toBe('work: key: api_key');
    const plain = lines.map((line) => line.replace(/ +/g, ' '));
    expect(plain).toContain('work/claude-opus-5-5 200k 128k 0.5/1 img');
    expect(plain).toContain('work/own 16k 4k ? img');
  });

  it('prints one JSON value', async () => {
    const { out } = await run('models', { env: { ANTHROPIC_API_KEY: 'k' } }, 'claude-haiku-5-5', true);
    expect(JSON.parse(out)).toEqual([
      {
        ref: 'anthropic/claude-haiku-5-5',
        provider: 'anthropic',
        usable: true,
        default: false,
        context_window: 1_000_000,
        max_output: 128_000,
        images: true,
        prices: {
          input: 0.1,
          output: 0.5,
          cache_read: 0.01,
          cache_write: 0.125,
          above: [{ prompt_tokens: 100_000, input: 0.5, output: 2.5, cache_read: 0.05, cache_write: 0.625 }],
        },
      },
    ]);
  });
});

describe('larik providers', () => {
  it('says of each how it stands, where it is and what is taken, and shows no key', async () => {
    const { lines, code } = await run('providers', {
      env: { GOOGLE_API_KEY: 'sk-secret', OLLAMA_HOST: '10.0.0.7' },
      providers: {
        mine: {
          type: 'openai-compatible',
          baseUrl: 'https://box.test/v1',
          apiKeyCommand: ['pass', 'sk-secret'],
        },
        named: { type: 'openai-compatible', baseUrl: 'https://me:sk-secret@box.test/v1?key=sk-secret' },
        asking: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1?key=sk-secret' },
        lost: { type: 'openai-compatible' },
        odd: { type: 'frob' },
        bare: { type: 'openai-compatible', baseUrl: 'localhost:8000/v1' },
      },
    });
    expect(lines.slice(0, 6).map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      'mine key: api_key_command',
      'https://box.test/v1',
      'gemini key: GOOGLE_API_KEY',
      'https://generativelanguage.googleapis.com default gemini-4-argon',
      'lmstudio runs, 1 model',
      'http://127.0.0.1:1234/v1 default qwen3-8b',
    ]);
    const text = lines.join('\n').replace(/ +/g, ' ');
    expect(text).toContain('ollama does not run\n http://10.0.0.7:11434');
    expect(text).toContain('vllm does not run');
    expect(text).toContain(
      'lost providers.lost.base_url is not set; give the address of the server\n no address',
    );
    expect(text).toContain(
      'bare providers.bare.base_url is no address; write it with http:// or https://\n no address',
    );
    expect(text).toContain('named providers.named.base_url holds a user name or a password');
    expect(text).toContain('asking providers.asking.base_url holds a query or a fragment');
    expect(text).toContain('odd providers.odd.type is frob, which is not known');
    expect(text).not.toContain('sk-secret');
    expect(code).toBe(0);
  });

  it('tells a server that gives no list from one that does not answer, and takes the vendor’s default', async () => {
    const { out } = await run('providers', {
      env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1' },
      providers: { mine: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:4000', apiKey: 'k' } },
    });
    const text = out.replace(/ +/g, ' ');
    expect(text).toContain(
      'mine answers, but gives no list of models, key: api_key\n http://127.0.0.1:4000\n',
    );
    expect(text).toContain(
      'openai runs, 1 model, key: OPENAI_API_KEY\n http://127.0.0.1:1234/v1 default gpt-',
    );
  });

  it('prints one JSON value', async () => {
    const { out } = await run('providers', { env: { ANTHROPIC_API_KEY: 'sk-secret' } }, '', true);
    const rows = JSON.parse(out) as { id: string }[];
    expect(rows[0]).toEqual({
      id: 'anthropic',
      usable: true,
      address: 'https://api.anthropic.com',
      key: 'ANTHROPIC_API_KEY',
      key_variables: [],
      running: null,
      models: null,
      default: 'anthropic/claude-opus-5-5',
      problem: null,
    });
    expect(rows.find(({ id }) => id === 'groq')).toMatchObject({
      usable: false,
      key: null,
      key_variables: ['GROQ_API_KEY'],
    });
    expect(out).not.toContain('sk-secret');
  });
});
