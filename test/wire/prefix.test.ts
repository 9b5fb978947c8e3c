// With --debug each request is compared with the one before it: over every protocol, with its real bodies.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PrefixAudit } from '../../adapters/trace/prefix/audit.ts';
import { tracedModels } from '../../adapters/trace/traced-models.ts';
import { CacheRows } from '../../apps/commands/trace/cache-rows.ts';
import type { Message } from '../../ports/message.ts';
import type { ModelRequest, Provider } from '../../ports/provider.ts';
import type { TraceEntry } from '../../ports/tracer.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { modelOf, StrictVendors } from './strict-vendors.ts';
import type { Said } from './vendor-streams.ts';

const vendors = new StrictVendors();
beforeAll(() => vendors.start());
afterAll(() => vendors.stop());
beforeEach(() => vendors.reset());

const read = (path: string) => ({ name: 'read', input: { path } });

/** What the model says, one answer after the other: nine with calls, then one without. */
const steps: readonly Said[] = [
  { thinking: 'First I look.', text: 'I look at it.', calls: [read('a.txt')] },
  { calls: [read('a.txt'), read('missing.txt')] },
  { thinking: 'Once more.', calls: [read('a.txt')] },
  { text: 'And once more: \ud83d\ude00.', calls: [read('a.txt')] },
  ...Array.from({ length: 5 }, () => ({ calls: [read('a.txt')] })),
  { thinking: 'That is all.', text: 'So it is.' },
];

/** Changes what is sent, as a fault would. */
type Fault = (request: ModelRequest) => ModelRequest;

function withFault(provider: Provider, fault: Fault): Provider {
  return { ...provider, stream: (request, ...rest) => provider.stream(fault(request), ...rest) };
}

/** A run of ten steps, all of them recorded; `fault` changes the last request. */
async function recorded(protocol: string, fault?: Fault) {
  let step = 0;
  vendors.next = () => steps[step++]!;
  const entries: TraceEntry[] = [];
  const tracer = {
    path: 'memory',
    record: (entry: TraceEntry) => void entries.push(entry),
    problem: () => null,
    close: () => undefined,
  };
  const harness = agentHarness([]);
  const { info } = harness.ports.models.resolve('');
  const plain = vendors.provider(protocol);
  const provider = withFault(plain, (request) => (fault && step === 9 ? fault(request) : request));
  const { model } = modelOf[protocol]!;
  const table = { resolve: () => ({ provider, model, info: { ...info, contextWindow: 1_000_000 } }) };
  harness.ports.models = tracedModels(table, { tracer, audit: new PrefixAudit(), ownHeaders: [] });
  const events = await harness.prompt('go');
  expect(only(events, 'done')).toMatchObject([{ stop_reason: 'end_turn' }]);
  const gathered = new CacheRows();
  for (const [at, entry] of entries.entries()) gathered.add({ time: '', seq: at + 1, ...entry });
  return { rows: gathered.rows, notices: only(events, 'notice').map(({ code }) => code) };
}

const changed = (message: Message): Message => ({ ...message, blocks: [{ type: 'text', text: 'other' }] });

const faults: Record<string, { fault: Fault; cause: RegExp }> = {
  'the system prompt': {
    fault: (request) => ({ ...request, system: `${request.system}.` }),
    cause: /^system changed$/,
  },
  'a tool': {
    fault: (request) => ({
      ...request,
      tools: request.tools.map((tool) =>
        tool.name === 'read' ? { ...tool, description: 'Reads one.' } : tool,
      ),
    }),
    cause: /^tool read changed$/,
  },
  'a tool that is gone': {
    fault: (request) => ({ ...request, tools: request.tools.filter(({ name }) => name !== 'write') }),
    cause: /^tool write is gone$/,
  },
  'the first message': {
    fault: (request) => ({
      ...request,
      messages: request.messages.map((each, at) => (at === 0 ? changed(each) : each)),
    }),
    cause: /^message \d \(user, block 0\) changed$/,
  },
};

describe.each(Object.keys(modelOf))('ten steps over %s', (protocol) => {
  it('extend each other whole', async () => {
    const { rows, notices } = await recorded(protocol);
    expect(rows.map(({ request }) => request)).toEqual(steps.map((_, at) => at + 1));
    const [first, ...others] = rows;
    expect(first).toMatchObject({ cause: 'first of this run', broken: false });
    for (const [at, row] of others.entries()) {
      const before = rows[at]!.sent_bytes;
      expect(row).toMatchObject({ before_bytes: before, shared_bytes: before, cause: null, broken: false });
      expect(row.sent_bytes).toBeGreaterThan(before);
    }
    expect(notices).not.toContain('cache_break');
  });

  it.each(Object.keys(faults))('tell what breaks at %s', async (name) => {
    const { fault, cause } = faults[name]!;
    const { rows, notices } = await recorded(protocol, fault);
    expect(rows.filter(({ broken }) => broken).map((row) => row.request)).toEqual([10]);
    expect(rows.at(-1)?.cause).toMatch(cause);
    expect(rows.at(-1)?.shared_bytes).toBeLessThan(rows.at(-1)!.before_bytes);
    expect(notices.filter((code) => code === 'cache_break')).toHaveLength(1);
  });
});
