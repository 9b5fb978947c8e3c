// Calls as models really send them, through the stream of every protocol.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineTool, z } from '../../plugins/sdk/index.ts';
import type { ToolResultBlock } from '../../ports/message.ts';
import { agentHarness, type HarnessOptions, only } from '../domain/agent-harness.ts';
import { adapters } from './providers.ts';
import { modelOf, StrictVendors } from './strict-vendors.ts';
import type { Said } from './vendor-streams.ts';

const vendors = new StrictVendors();
beforeAll(() => vendors.start());
afterAll(() => vendors.stop());
beforeEach(() => vendors.reset());

/** What ran, with which input. */
const ran: unknown[] = [];

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  effect: 'read',
  subject: { field: 'path', kind: 'path' },
  input: z.object({
    path: z.string().describe('the file'),
    limit: z.number().optional().describe('lines'),
  }),
  run: async (input) => {
    ran.push(input);
    return { content: 'alpha' };
  },
});

/** The results and notices of a prompt whose first answer is this one. */
async function after(protocol: string, said: Said, given: HarnessOptions = {}) {
  ran.length = 0;
  let asked = 0;
  vendors.next = () => (asked++ === 0 ? said : { text: 'Done.' });
  const harness = agentHarness([], { tools: [read], ...given });
  const { info } = harness.ports.models.resolve('');
  const { model } = modelOf[protocol]!;
  const provider = vendors.provider(protocol);
  harness.ports.models = { resolve: () => ({ provider, model, info }) };
  const events = await harness.prompt('go');
  expect(vendors.problems).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
  const results = harness.entries.flatMap((entry): ToolResultBlock[] =>
    entry.type === 'message' ? entry.message.blocks.filter((block) => block.type === 'tool_result') : [],
  );
  return { results, notices: only(events, 'notice') };
}

const odd = { name: 'functions.read', input: { file_path: 'a.txt', limit: '7', extra: null } };
const textual = ['anthropic', 'openai-responses', 'openai-compat'];

describe.each(Object.keys(adapters))('a call of a model behind %s', (protocol) => {
  it('runs repaired, where it can be meant in one way only', async () => {
    const { results } = await after(protocol, { calls: [odd] });
    expect(ran).toEqual([{ path: 'a.txt', limit: 7 }]);
    expect(results).toMatchObject([{ content: 'alpha' }]);
  });

  it('is seen repaired by a deny rule', async () => {
    const { results } = await after(protocol, { calls: [odd] }, { deny: ['read(a.txt)'] });
    expect(ran).toEqual([]);
    expect(results).toMatchObject([{ isError: true }]);
  });

  it('is never run where it is written as text, and the notice names the cause', async () => {
    const text = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
    const { results, notices } = await after(protocol, { text });
    expect([ran, results]).toEqual([[], []]);
    expect(notices).toMatchObject([{ code: 'text_call' }]);
    expect(notices[0]?.text).toContain('--jinja');
  });
});

describe.each(textual)('arguments as text from %s', (protocol) => {
  const call = (raw: string): Said => ({ calls: [{ name: 'read', input: {}, raw }] });

  it.each(['{"path":"a"}}', '{"path":"a"}{"path":"a"}', '{"path":"a"} \n'])(
    'MSG-16 %j is taken for its first value',
    async (raw) => {
      const { results } = await after(protocol, call(raw));
      expect(ran).toEqual([{ path: 'a' }]);
      expect(results).toMatchObject([{ content: 'alpha' }]);
    },
  );

  it.each(['{"path":"a"}{"path":"b"}', '{"path":', '[1]', '"x"', 'null'])(
    'MSG-16 %j never runs',
    async (raw) => {
      const { results } = await after(protocol, call(raw));
      expect(ran).toEqual([]);
      expect(results).toMatchObject([{ isError: true }]);
    },
  );
});
