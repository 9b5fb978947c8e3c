import { isPortError } from '../../../ports/errors.ts';
import type { Message } from '../../../ports/message.ts';
import type { SessionMeta, SessionStore, StoredEntry } from '../../../ports/session.ts';
import type { TestKit } from '../test-kit.ts';

/** What the suite creates its sessions with. */
export const contractMeta: Omit<SessionMeta, 'type' | 'version' | 'session'> = {
  larik: '0.0.0',
  cwd: '/p',
  project: '/p',
  model: 'mock/one',
  effort: 'high',
  mode: 'default',
};

const prompt = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return isPortError(error, 'session') ? error.kind : String(error);
  }
}

/** A fresh store; `reopen` gives the same one as another part of the program would see it. */
export interface SessionStoreSetup {
  store: SessionStore;
  reopen(): SessionStore;
  /** Lets a second pass, so that ids and times differ. */
  tick(): void;
}

/** What every `SessionStore` keeps to. `open` is called once in each test. */
export function testSessionStore(name: string, kit: TestKit, open: () => Promise<SessionStoreSetup>): void {
  const { describe, it, expect } = kit;
  const plain = (entries: StoredEntry[]) => entries.map(({ entry }) => entry);

  describe(`${name}: session store`, () => {
    it('has no sessions at first', async () => {
      const { store } = await open();
      expect(await store.list()).toEqual([]);
      expect(await kindOf(store.find('2'))).toBe('not_found');
      expect(await kindOf(store.read('20260102-030405-abcdef'))).toBe('not_found');
      expect(await kindOf(store.open('20260102-030405-abcdef'))).toBe('not_found');
    });

    it('names a session by its time and begins it with what it is about', async () => {
      const { store, reopen } = await open();
      const log = await store.create(contractMeta);
      expect(log.id).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
      await log.close();
      expect(plain((await reopen().read(log.id)).entries)).toEqual([
        { type: 'meta', version: 1, session: log.id, ...contractMeta },
      ]);
    });

    it('gives back every entry as it was, each after the one before it', async () => {
      const { store, reopen } = await open();
      const log = await store.create(contractMeta);
      const odd = 'tab\t quote" \\ nul\u0000 emoji 🙂 lone\ud800 ü \r\n end';
      await Promise.all([
        log.append({ type: 'context', reason: 'startup', system: odd, tools: [] }),
        log.append({ type: 'turn', n: 1, phase: 'start' }),
        log.append({ type: 'message', message: prompt(odd), seen: { '/p/a': 'hash' } }),
        log.append({
          type: 'message',
          message: {
            role: 'assistant',
            model: 'mock/one',
            blocks: [
              { type: 'thinking', text: 'hm', provider: 'mock', signature: 's' },
              { type: 'tool_use', id: 't1', name: 'read', input: { path: odd } },
            ],
          },
          usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
          stop_reason: 'tool_use',
          cost_usd: 0.25,
        }),
        log.append({ type: 'permission', request_id: 'r', tool_id: 't1', decision: 'allow', by: 'user' }),
        log.append({ type: 'turn', n: 1, phase: 'end', stop_reason: 'interrupted' }),
        log.append({ type: 'undo', turn: 1 }),
        log.sync(),
      ]);
      await log.close();
      const { entries, problems } = await reopen().read(log.id);
      expect(problems).toEqual([]);
      expect(plain(entries)).toEqual([
        { type: 'meta', version: 1, session: log.id, ...contractMeta },
        { type: 'context', reason: 'startup', system: odd, tools: [] },
        { type: 'turn', n: 1, phase: 'start' },
        { type: 'message', message: prompt(odd), seen: { '/p/a': 'hash' } },
        {
          type: 'message',
          message: {
            role: 'assistant',
            model: 'mock/one',
            blocks: [
              { type: 'thinking', text: 'hm', provider: 'mock', signature: 's' },
              { type: 'tool_use', id: 't1', name: 'read', input: { path: odd } },
            ],
          },
          usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
          stop_reason: 'tool_use',
          cost_usd: 0.25,
        },
        { type: 'permission', request_id: 'r', tool_id: 't1', decision: 'allow', by: 'user' },
        { type: 'turn', n: 1, phase: 'end', stop_reason: 'interrupted' },
        { type: 'undo', turn: 1 },
      ]);
      expect(entries.map(({ parent_id }) => parent_id)).toEqual([
        null,
        ...entries.slice(0, -1).map(({ id }) => id),
      ]);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      expect(entries.every(({ time }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time))).toBe(true);
    });

    it('goes on where a session ended', async () => {
      const { store, reopen } = await open();
      const log = await store.create(contractMeta);
      await log.append({ type: 'message', message: prompt('one') });
      await log.close();
      const again = await reopen().open(log.id);
      expect(again.entries.length).toBe(2);
      await again.log.append({ type: 'message', message: prompt('two') });
      await again.log.close();
      const { entries } = await reopen().read(log.id);
      expect(plain(entries).slice(1)).toEqual([
        { type: 'message', message: prompt('one') },
        { type: 'message', message: prompt('two') },
      ]);
      expect(entries[2]?.parent_id).toBe(entries[1]?.id);
    });

    it('lets one write at a time, and others read', async () => {
      const { store, reopen } = await open();
      const log = await store.create(contractMeta);
      expect(await kindOf(reopen().open(log.id))).toBe('held');
      expect((await reopen().read(log.id)).entries.length).toBe(1);
      await log.close();
      await log.close();
      const second = await reopen().open(log.id);
      expect(await kindOf(store.open(log.id))).toBe('held');
      await second.log.close();
      expect(await kindOf(log.append({ type: 'turn', n: 1, phase: 'start' }))).toBe('io');
    });

    it('SESS-08 forks a session: the source stays as it is, and nothing is spent twice', async () => {
      const { store, reopen, tick } = await open();
      const log = await store.create(contractMeta);
      const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
      const answer: Message = { role: 'assistant', blocks: [{ type: 'text', text: 'answer' }] };
      await log.append({ type: 'turn', n: 1, phase: 'start' });
      await log.append({ type: 'message', message: prompt('one'), seen: { '/p/a': 'hash' } });
      await log.append({ type: 'usage', usage, cost_usd: 1, purpose: 'title' });
      await log.append({ type: 'message', message: answer, usage, stop_reason: 'end_turn', cost_usd: 1 });
      await log.append({ type: 'turn', n: 1, phase: 'end', stop_reason: 'end_turn' });
      await log.append({ type: 'model', model: 'mock/two' });
      await log.append({ type: 'turn', n: 2, phase: 'start' });
      await log.append({ type: 'message', message: prompt('two') });
      const before = await store.read(log.id);
      const firstTurn = [
        { type: 'turn', n: 1, phase: 'start' },
        { type: 'message', message: prompt('one'), seen: { '/p/a': 'hash' } },
        { type: 'message', message: answer, stop_reason: 'end_turn' },
        { type: 'turn', n: 1, phase: 'end', stop_reason: 'end_turn' },
        { type: 'model', model: 'mock/two' },
      ];
      const meta = (session: string, at: number) => ({
        type: 'meta',
        version: 1,
        session,
        ...contractMeta,
        larik: '0.0.1',
        fork_of: log.id,
        fork_at: before.entries[at]?.id,
      });
      const as = { larik: '0.0.1' };

      // The second turn goes on elsewhere.
      tick();
      const running = await reopen().fork(log.id, as);
      expect(plain(running.entries)).toEqual([meta(running.log.id, 6), ...firstTurn]);
      await running.log.close();
      await log.close();
      // Now it was cut short.
      tick();
      const child = await reopen().fork(log.id, as);
      expect(child.problems).toEqual([]);
      await child.log.append({ type: 'message', message: prompt('three') });
      await child.log.close();
      const { entries } = await reopen().read(child.log.id);
      expect(plain(entries)).toEqual([
        meta(child.log.id, 8),
        ...firstTurn,
        { type: 'turn', n: 2, phase: 'start' },
        { type: 'message', message: prompt('two') },
        { type: 'message', message: prompt('three') },
      ]);
      expect(entries.map(({ parent_id }) => parent_id)).toEqual([
        null,
        ...entries.slice(0, -1).map(({ id }) => id),
      ]);
      expect(await store.read(log.id)).toEqual(before);
    });

    it('forks a session before one of its turns', async () => {
      const { store, reopen, tick } = await open();
      const log = await store.create(contractMeta);
      await log.append({ type: 'turn', n: 1, phase: 'start' });
      await log.append({ type: 'message', message: prompt('one') });
      await log.append({ type: 'turn', n: 1, phase: 'end', stop_reason: 'end_turn' });
      await log.append({ type: 'turn', n: 2, phase: 'start' });
      await log.close();
      for (const [beforeTurn, types] of [
        [1, ['meta']],
        [2, ['meta', 'turn', 'message', 'turn']],
      ] as const) {
        tick();
        const { log: child, entries } = await reopen().fork(log.id, { larik: '0.0.1', beforeTurn });
        await child.close();
        expect(entries.map(({ entry }) => entry.type)).toEqual(types);
      }
      expect(await kindOf(store.fork(log.id, { larik: '0.0.1', beforeTurn: 3 }))).toBe('not_found');
      expect(await kindOf(store.fork('20260102-030405-abcdef', { larik: '0.0.1' }))).toBe('not_found');
    });

    it('lists the newest first, by their first prompts', async () => {
      const { store, reopen, tick } = await open();
      const made: string[] = [];
      for (const text of ['first', 'second']) {
        const log = await store.create(contractMeta);
        await log.append({ type: 'message', message: prompt('<system-note>a note</system-note>') });
        await log.append({ type: 'message', message: prompt(text) });
        await log.append({ type: 'message', message: prompt('and more') });
        await log.close();
        made.push(log.id);
        tick();
      }
      const listed = await reopen().list();
      expect(listed.map(({ id, title, cwd, model }) => ({ id, title, cwd, model }))).toEqual([
        { id: made[1], title: 'second', cwd: '/p', model: 'mock/one' },
        { id: made[0], title: 'first', cwd: '/p', model: 'mock/one' },
      ]);
      expect(
        listed.every(({ bytes, startedAt, changedAt }) => bytes > 0 && startedAt > 0 && changedAt > 0),
      ).toBe(true);
    });

    it('finds a session by the beginning of its id, if only one has it', async () => {
      const { store, tick } = await open();
      const one = await store.create(contractMeta);
      tick();
      const two = await store.create(contractMeta);
      expect((await store.find(one.id)).id).toBe(one.id);
      const unique = [...two.id].findIndex((character, at) => character !== one.id[at]) + 1;
      expect((await store.find(two.id.slice(0, unique))).id).toBe(two.id);
      expect(await kindOf(store.find(two.id.slice(0, unique - 1)))).toBe('ambiguous');
      expect(await kindOf(store.find(''))).toBe('not_found');
      expect(await kindOf(store.find('../'))).toBe('not_found');
      await one.close();
      await two.close();
    });
  });
}
