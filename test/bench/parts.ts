import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonlSessionStore } from '../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { systemIds } from '../../adapters/system/system-ids.ts';
import type { Message } from '../../ports/message.ts';
import type { Provider, ProviderEvent } from '../../ports/provider.ts';
import type { SessionEntry } from '../../ports/session.ts';
import { agentHarness } from '../domain/agent-harness.ts';
import { callOf, decideCall } from '../domain/permissions/permissions.ts';
import { sandboxPart } from './sandbox-part.ts';
import { framePart } from './screen/frame-part.ts';
import { scrollPart } from './screen/scroll-part.ts';
import type { Row } from './row.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const lines = [
  'git status && npm test -- --run | tail -20',
  'for f in src/*.ts; do sed -i "s/old/new/" "$f" && echo "$f: $(wc -l < "$f")"; done',
  "cat <<'EOF' > notes.txt\none\ntwo\nEOF",
];

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The median of some runs, after one that does not count. */
async function median(times: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let run = 0; run <= times; run += 1) all.push(await measure());
  const counted = all.slice(1).sort((one, other) => one - other);
  return counted[counted.length >> 1] ?? Number.NaN;
}

/** A conversation of `count` messages, in turns of four: asked, called, answered, said. */
function* history(count: number): Generator<Message> {
  for (let turn = 0; turn * 4 < count; turn += 1) {
    const id = `old_${turn}`;
    yield { role: 'user', blocks: [{ type: 'text', text: `Question ${turn}?` }] };
    yield { role: 'assistant', blocks: [{ type: 'tool_use', id, name: 'read', input: { path: 'a.txt' } }] };
    yield {
      role: 'user',
      blocks: [{ type: 'tool_result', id, name: 'read', content: 'alpha' }],
    };
    yield {
      role: 'assistant',
      blocks: [{ type: 'text', text: `Answer ${turn}. ${'Some words. '.repeat(20)}` }],
    };
  }
}

function entriesOf(count: number): SessionEntry[] {
  const context: SessionEntry = { type: 'context', reason: 'startup', system: 'You help.', tools: [] };
  return [
    context,
    ...[...history(count)].map((message): SessionEntry => ({ type: 'message', message, usage })),
  ];
}

/** A model that reads a file `steps` times, then ends. */
function reader(steps: number): Provider {
  let left = steps;
  return {
    name: 'reader',
    async *stream(): AsyncGenerator<ProviderEvent> {
      const call = { type: 'tool_use' as const, id: `call_${left}`, name: 'read', input: { path: 'a.txt' } };
      const done = left === 0;
      left -= 1;
      const blocks = done ? [{ type: 'text' as const, text: 'Read.' }] : [call];
      yield {
        kind: 'done',
        message: { role: 'assistant', blocks },
        usage,
        stopReason: done ? 'end_turn' : 'tool_use',
      };
    },
  };
}

/** Milliseconds that the domain takes for a step, tools and model taking none. */
async function step(messages: number): Promise<number> {
  const steps = 100;
  const harness = agentHarness([], { entries: entriesOf(messages), info: { contextWindow: 10_000_000 } });
  const { models } = harness.ports;
  const resolve = models.resolve.bind(models);
  const provider = reader(steps);
  models.resolve = (...args) => ({ ...resolve(...args), provider });
  const took = await timed(async () => {
    for await (const event of harness.agent.prompt('Go on.', new AbortController().signal)) {
      if (event.type === 'error') throw new Error(JSON.stringify(event));
    }
  });
  return took / steps;
}

async function sessionRows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'larik-bench-'));
  try {
    const store = jsonlSessionStore({ folder, clock: systemClock, ids: systemIds, lock: takeFileLock });
    const meta = { larik: '0', cwd: '/p', project: '/p', model: 'a/b', mode: 'default' as const };
    const log = await store.create(meta);
    const entries = entriesOf(2000);
    const append = await timed(async () => {
      for (const entry of entries) await log.append(entry);
    });
    await log.close();
    return [{ name: 'session, append of an entry', goal: null, unit: 'ms', figure: append / entries.length }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function shellRows(): Promise<Row[]> {
  const each = 200;
  const parse = await median(5, () =>
    timed(() => {
      for (let time = 0; time < each; time += 1) for (const line of lines) unbashParser.parse(line);
    }),
  );
  const call = callOf('bash', lines[1] ?? '');
  const setting = {
    allow: ['bash(npm test*)', 'bash(git *)', 'edit(src/**)'],
    deny: ['bash(rm *)', 'read(.env)'],
  };
  const decide = await median(5, () =>
    timed(async () => {
      for (let time = 0; time < each; time += 1) await decideCall(call, setting);
    }),
  );
  return [
    { name: 'shell parser, a line', goal: null, unit: 'ms', figure: parse / each / lines.length },
    { name: 'a decision, facts and rules included', goal: null, unit: 'ms', figure: decide / each },
  ];
}

async function loopRows(): Promise<Row[]> {
  return [
    { name: 'loop, a step at 10 messages', goal: 2, unit: 'ms', figure: await median(5, () => step(10)) },
    {
      name: 'loop, a step at 1,000 messages',
      goal: 8,
      unit: 'ms',
      figure: await median(5, () => step(1000)),
    },
  ];
}

/** What is measured within this process, by name. */
export const parts: Record<string, () => Promise<Row[]>> = {
  loop: loopRows,
  session: sessionRows,
  shell: shellRows,
  sandbox: sandboxPart,
  'screen-frame': framePart,
  'screen-scroll': scrollPart,
};
