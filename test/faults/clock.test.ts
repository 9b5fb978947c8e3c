import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeOldSessionData } from '../../adapters/checkpoints/retention.ts';
import { withRetry } from '../../adapters/providers/decorators/retry.ts';
import { jsonlSessionStore } from '../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { removeUnfinished } from '../../adapters/system/files/unfinished-writes.ts';
import { contractMeta } from '../../plugins/testing/contracts/session-store-contract.ts';
import { fakeClock, type FakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import { PortError } from '../../ports/errors.ts';
import type { ModelRequest, Provider } from '../../ports/provider.ts';
import type { SessionEntry } from '../../ports/session.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { sandbox, type Sandbox } from '../e2e/larik.ts';
import { scripted } from './faults.ts';

const day = 24 * 60 * 60 * 1000;
const jumps: [string, number][] = [
  ['back', -day],
  ['forward', day],
];

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-clock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each(jumps)('a clock that jumps %s by a day', (_, jump) => {
  const jumped = (clock: FakeClock): void => clock.set(clock.now() + jump);

  it('changes no duration, and nothing that was sent', async () => {
    const call = (path: string) => ({ calls: [{ name: 'write', input: { path, content: 'x' } }] });
    const { prompt, clock, provider } = agentHarness(
      [call('a'), call('b'), { text: 'done' }, { text: 'ok' }],
      {
        settings: { mode: 'yolo' },
      },
    );
    const events = await prompt('go');
    jumped(clock);
    const further = await prompt('go on');
    const all = [...events, ...further];
    expect(only(all, 'tool_end').map(({ duration_ms: ms }) => ms)).toEqual([0, 0]);
    for (const { request_ms: ms, ttft_ms: first } of only(all, 'usage')) expect([ms, first]).toEqual([0, 0]);
    expect(only(all, 'done').map(({ stop_reason: end }) => end)).toEqual(['end_turn', 'end_turn']);
    const [before, after] = [provider.requests.at(-2), provider.requests.at(-1)];
    expect(after?.system).toBe(before?.system);
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
  });

  it('is told to the model once the session is resumed', async () => {
    const first = agentHarness([{ text: 'done' }]);
    await first.prompt('go');
    const entries: SessionEntry[] = [...first.entries];
    const today = new Date(first.clock.now() + jump).toISOString().slice(0, 10);
    const second = agentHarness([{ text: 'ok' }], { entries, now: first.clock.now() + jump });
    await second.prompt('go on');
    expect(JSON.stringify(second.provider.requests[0]?.messages.at(-1))).toContain(
      `the date is now ${today}`,
    );
  });

  it('leaves sessions in the order in which they were written, whatever their ids', async () => {
    const clock = fakeClock();
    const store = jsonlSessionStore({ folder, clock, ids: fakeIds(), lock: takeFileLock });
    const older = await store.create(contractMeta);
    jumped(clock);
    const text = (words: string): SessionEntry => ({
      type: 'message',
      message: { role: 'user', blocks: [{ type: 'text', text: words }] },
    });
    await older.append(text('first'));
    await older.append(text('second'));
    const newer = await store.create(contractMeta);
    await newer.append(text('third'));
    const opened = await Promise.all(
      [older, newer].map(async (log) => (await log.close(), store.read(log.id))),
    );
    expect(opened.map(({ problems }) => problems)).toEqual([[], []]);
    expect(opened.map(({ entries }) => entries.slice(1).map(({ entry }) => entry))).toEqual([
      [text('first'), text('second')],
      [text('third')],
    ]);
    await utimes(older.path, 1000, 1000);
    await utimes(newer.path, 2000, 2000);
    expect((await store.list()).map(({ id }) => id)).toEqual([newer.id, older.id]);
  });

  it('keeps a lock that is held, and one that was left is taken', async () => {
    const clock = fakeClock();
    const store = jsonlSessionStore({ folder, clock, ids: fakeIds(), lock: takeFileLock });
    const log = await store.create(contractMeta);
    jumped(clock);
    await expect(store.open(log.id)).rejects.toMatchObject({ kind: 'held' });
    await log.close();
    const { log: again } = await store.open(log.id);
    await again.close();
  });

  it('shortens and lengthens no wait for the next try', async () => {
    const clock = fakeClock();
    let count = 0;
    const busy: Provider = {
      name: 'busy',
      // oxlint-disable-next-line require-yield
      async *stream() {
        count += 1;
        throw new PortError('provider', 'overloaded', 'busy', { retryable: true });
      },
    };
    const request: ModelRequest = {
      model: 'm',
      system: '',
      messages: [],
      tools: [],
      maxTokens: 1,
      cacheKey: 'c',
    };
    const ids = fakeIds();
    const run = async (): Promise<void> => {
      for await (const _ of withRetry(busy, { clock, ids }).stream(request, new AbortController().signal));
    };
    const ended = run().catch((error: unknown) => error);
    await clock.whenSleeping();
    jumped(clock);
    expect(count).toBe(1);
    await clock.advance(20_000);
    expect(await ended).toMatchObject({ kind: 'overloaded' });
    expect(count).toBe(4);
    for (const [at, ms] of clock.sleeps.entries()) expect(ms / 1000 / 2 ** at).toBeCloseTo(1, 0);
  });

  it('removes nothing that is not old', async () => {
    const now = Date.now() + jump;
    await mkdir(join(folder, 'checkpoints/20260101-000000-00000a'), { recursive: true });
    await writeFile(join(folder, 'checkpoints/20260101-000000-00000a/turn-1'), '');
    await removeOldSessionData(join(folder, 'checkpoints'), 7, now);
    await removeUnfinished(join(folder, 'unfinished'), now);
    expect(await readdir(join(folder, 'checkpoints/20260101-000000-00000a'))).toEqual(['turn-1']);
  });
});

describe('a clock that jumps to and fro all the time', () => {
  let box: Sandbox;
  beforeEach(async () => {
    box = await sandbox({ 'a.txt': 'one\n' });
  });
  afterEach(() => box.dispose());

  it('keeps no run from its end, and no session from being gone on with', async () => {
    const shim = join(box.home, 'jump.cjs');
    await writeFile(
      shim,
      `const now = Date.now; let n = 0;
      const jumped = () => now() + (n++ % 3 - 1) * ${day};
      globalThis.Date = class extends Date {
        constructor(...args) { if (args.length === 0) super(jumped()); else super(...args); }
        static now() { return jumped(); }
      };`,
    );
    const args = await scripted(box, [
      { calls: [{ name: 'read', input: { path: 'a.txt' } }] },
      { calls: [{ name: 'edit', input: { path: 'a.txt', old_string: 'one', new_string: 'two' } }] },
      { calls: [{ name: 'bash', input: { command: 'cat a.txt' } }] },
      { text: 'done', expect: 'two' },
    ]);
    const env = { NODE_OPTIONS: `--require ${shim}` };
    const json = ['--mode', 'yolo', '--output', 'json'];
    const ended = await box.run([...args, ...json], { env });
    expect([ended.code, ended.err]).toEqual([0, '']);
    const events = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; duration_ms?: number });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    for (const { duration_ms: ms = 0 } of events) expect(ms >= 0 && ms < day / 2).toBe(true);
    const further = await box.run(['-p', 'more', '-c', '--model', 'demo/demo'], { env });
    expect(further.code).toBe(0);
    const undone = await box.run(['undo', '--force'], { env });
    expect([undone.code, undone.err]).toEqual([0, '']);
  });
});
