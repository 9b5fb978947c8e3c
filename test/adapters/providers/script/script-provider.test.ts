import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createScriptProvider } from '../../../../adapters/providers/script/script-provider.ts';
import type { Message } from '../../../../ports/message.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../../ports/provider.ts';

const provider = (files: Record<string, string>): Provider =>
  createScriptProvider({
    async readFile(path) {
      const text = files[path];
      if (path === 'folder') throw Object.assign(new Error('EISDIR: read'), { code: 'EISDIR' });
      if (path === 'broken') throw new Error('the disk is broken');
      if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
      return text;
    },
  });

const request = (model: string, ...messages: Message[]): ModelRequest => ({
  model,
  system: 'You are larik.',
  messages: messages.length === 0 ? [{ role: 'user', blocks: [{ type: 'text', text: 'hi' }] }] : messages,
  tools: [],
  maxTokens: 100,
  cacheKey: 'k',
});

async function run(
  from: Provider,
  one: ModelRequest,
  signal = new AbortController().signal,
): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of from.stream(one, signal)) events.push(event);
  return events;
}

const thrown = async (from: Provider, one: ModelRequest): Promise<unknown> =>
  run(from, one).catch((error: unknown) => error);

describe('createScriptProvider', () => {
  it('gives one response a request, from YAML', async () => {
    const script = provider({
      's.yaml': [
        '- thinking: hm',
        '  text: I read it.',
        '  calls:',
        '    - name: read',
        '      input: { path: a.txt }',
        '  usage: { input: 7, output: 3 }',
        '- text: Done.',
      ].join('\n'),
    });
    expect(await run(script, request('s.yaml'))).toEqual([
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'I read it.' },
      { kind: 'tool_start', index: 0, name: 'read', id: 'call_1_1' },
      { kind: 'tool_input', index: 0, json: '{"path":"a.txt"}' },
      {
        kind: 'done',
        message: {
          role: 'assistant',
          model: 's.yaml',
          blocks: [
            { type: 'thinking', text: 'hm', provider: 'script' },
            { type: 'text', text: 'I read it.' },
            { type: 'tool_use', id: 'call_1_1', name: 'read', input: { path: 'a.txt' } },
          ],
        },
        usage: { input: 7, output: 3, cacheRead: 0, cacheWrite: 0 },
        stopReason: 'tool_use',
      },
    ]);
    expect((await run(script, request('s.yaml'))).at(-1)).toEqual({
      kind: 'done',
      message: { role: 'assistant', model: 's.yaml', blocks: [{ type: 'text', text: 'Done.' }] },
      usage: null,
      stopReason: 'end_turn',
    });
  });

  it('shows a request that is one too many', async () => {
    const script = provider({ 's.json': '[{"text": "only"}]' });
    await run(script, request('s.json'));
    expect(await thrown(script, request('s.json'))).toMatchObject({
      port: 'provider',
      kind: 'invalid_request',
      message: 'The script s.json has 1 responses, and this is request 2. It ends with:\nhi',
      facts: { retryable: false },
    });
  });

  it('shows a request that lacks what is expected', async () => {
    const script = provider({ 's.yaml': '- expect: hi\n  text: ok\n- expect: "2 failed"\n  text: ok' });
    await run(script, request('s.yaml'));
    const result: Message = {
      role: 'user',
      blocks: [{ type: 'tool_result', id: 'a', name: 'bash', content: '1 failed' }],
    };
    expect(await thrown(script, request('s.yaml', result))).toMatchObject({
      message:
        'Response 2 of the script s.yaml expects "2 failed" in the request, and it is not there. The request ends with:\n1 failed',
    });
  });

  it('throws the errors it holds, after what is to be shown first; a retry takes the next response', async () => {
    const script = provider({
      's.yaml': [
        '- error: { kind: overloaded }',
        '- error: { kind: rate_limit, status: 429, retry_after: 250, message: slow down }',
        '- text: half',
        '  error: { kind: server, retryable: false }',
        '- text: whole',
      ].join('\n'),
    });
    expect(await thrown(script, request('s.yaml'))).toMatchObject({
      kind: 'overloaded',
      facts: { retryable: true },
    });
    expect(await thrown(script, request('s.yaml'))).toMatchObject({
      kind: 'rate_limit',
      message: 'slow down',
      facts: { retryable: true, status: 429, retryAfterMs: 250 },
    });
    const events: ProviderEvent[] = [];
    const failed = await (async () => {
      for await (const event of script.stream(request('s.yaml'), new AbortController().signal))
        events.push(event);
    })().catch((error: unknown) => error);
    expect(events).toEqual([{ kind: 'text', text: 'half' }]);
    expect(failed).toMatchObject({ kind: 'server', facts: { retryable: false } });
    expect(await run(script, request('s.yaml'))).toHaveLength(2);
  });

  it('counts each file for itself', async () => {
    const script = provider({ a: '- text: a1\n- text: a2', b: '- text: b1' });
    const texts = [];
    for (const model of ['a', 'b', 'a']) texts.push((await run(script, request(model)))[0]);
    expect(texts).toEqual(['a1', 'b1', 'a2'].map((text) => ({ kind: 'text', text })));
  });

  it('makes a cut-off call, and the stop reasons that it is told', async () => {
    const script = provider({ s: '- calls: [{ name: edit, input: null }]\n  stop_reason: max_tokens' });
    expect((await run(script, request('s'))).at(-1)).toMatchObject({
      message: { blocks: [{ type: 'tool_use', name: 'edit', input: null }] },
      stopReason: 'max_tokens',
    });
  });

  it.each([
    ['missing.yaml', 'not_found', `There is no script missing.yaml (looked in ${process.cwd()}).`],
    [resolve('missing.yaml'), 'not_found', `There is no script ${resolve('missing.yaml')}.`],
    ['folder', 'not_found', 'The script folder is a folder; name a YAML or JSON file.'],
    ['broken', 'not_found', 'The script broken cannot be read: the disk is broken'],
    ['bad.json', 'invalid_request', /^The script bad\.json cannot be read: .*JSON/],
    ['map.yaml', 'invalid_request', /^The script map\.yaml is not a list .* the whole: .*array/],
    ['typo.yaml', 'invalid_request', /\[1\]: .*"txt"/],
    ['type.yaml', 'invalid_request', /\[0\]\.calls\[0\]\.name: /],
  ])('says what is wrong with %s', async (file, kind, message) => {
    const script = provider({
      'bad.json': '[{',
      'map.yaml': 'text: hi',
      'typo.yaml': '- text: a\n- txt: b',
      'type.yaml': '- calls: [{ input: {} }]',
    });
    const error = await thrown(script, request(file));
    expect(error).toMatchObject({ kind, facts: { retryable: false } });
    if (typeof message === 'string') expect((error as Error).message).toBe(message);
    else expect((error as Error).message).toMatch(message);
  });

  it('throws the reason of a signal that aborts', async () => {
    const abort = new AbortController();
    const script = provider({ s: `- text: ${'word '.repeat(200)}` });
    const seen: ProviderEvent[] = [];
    const error = await (async () => {
      for await (const event of script.stream(request('s'), abort.signal)) {
        seen.push(event);
        abort.abort('stop');
      }
    })().catch((thrown: unknown) => thrown);
    expect(error).toBe('stop');
    expect(seen).toHaveLength(1);
  });
});
