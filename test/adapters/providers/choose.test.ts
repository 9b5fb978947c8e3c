import { describe, expect, it } from 'vitest';
import { chooseModel, findConnections, type Probe } from '../../../adapters/providers/choose.ts';

const nothing: Probe = () => Promise.resolve(null);
const studio: Probe = (url) =>
  Promise.resolve(
    url === 'http://127.0.0.1:1234/v1/models'
      ? {
          data: [
            { id: 'text-embedding-nomic' },
            { id: 'bad id; rm' },
            { id: 'qwen/qwen3-8b' },
            { id: 'gemma' },
          ],
        }
      : null,
  );

describe('the model when nothing chose one', () => {
  it.each([
    ['a key of Anthropic', { ANTHROPIC_API_KEY: 'k' }, studio, 'anthropic/claude-opus-5-5'],
    ['a running LM Studio', { OPENAI_API_KEY: 'k' }, studio, 'lmstudio/qwen/qwen3-8b'],
    ['nothing', { ANTHROPIC_API_KEY: ' ' }, nothing, 'demo/demo'],
  ])('with %s', async (_, env, probe, expected) => {
    expect(await chooseModel({ env, probe })).toBe(expected);
  });
});

describe('what is there to connect to', () => {
  it('gives the command line for each key and server that was found', async () => {
    const env = { OPENROUTER_API_KEY: 'k', OPENAI_API_KEY: 'k', GROQ_API_KEY: '' };
    const found = await findConnections({ env, probe: studio });
    expect(found.map(({ found: what, command }) => [what, command])).toEqual([
      ['OPENROUTER_API_KEY', 'larik --model openrouter/MODEL -p "…"'],
      ['OPENAI_API_KEY', null],
      ['http://127.0.0.1:1234/v1', 'larik --model lmstudio/qwen/qwen3-8b -p "…"'],
    ]);
    expect(found[1]?.note).toContain('does not speak the OpenAI API');
  });

  it('finds nothing where nothing is', async () => {
    expect(await findConnections({ env: {}, probe: nothing })).toEqual([]);
  });
});
