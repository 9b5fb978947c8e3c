import type { CheckpointStore, FileSnapshot } from '../../../ports/checkpoint.ts';
import { isPortError } from '../../../ports/errors.ts';
import type { TestKit } from '../test-kit.ts';

const encoder = new TextEncoder();

/** A snapshot whose hash only has to differ for different texts. */
function state(text: string, mode = 0o644): FileSnapshot {
  return { bytes: encoder.encode(text), hash: `hash of ${text}`, mode };
}

const saved = (text: string, mode = 0o644) => ({
  hash: `hash of ${text}`,
  mode,
  size: encoder.encode(text).length,
});

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return isPortError(error, 'checkpoint') ? error.kind : String(error);
  }
}

/** A fresh store; `reopen` gives the same one as another process would see it. */
export interface CheckpointStoreSetup {
  store: CheckpointStore;
  reopen(): CheckpointStore;
}

/** What every `CheckpointStore` keeps to. `open` is called once in each test. */
export function testCheckpointStore(
  name: string,
  kit: TestKit,
  open: () => Promise<CheckpointStoreSetup>,
): void {
  const { describe, it, expect } = kit;
  const text = async (bytes: Promise<Uint8Array>) => new TextDecoder().decode(await bytes);

  describe(`${name}: checkpoint store`, () => {
    it('has no turns at first', async () => {
      const { store } = await open();
      expect(await store.turns()).toEqual([]);
    });

    it('keeps the first state of a file in a turn, and every turn its own', async () => {
      const { store, reopen } = await open();
      await store.save(2, '/p/a', state('one', 0o755));
      await store.save(2, '/p/a', state('two'));
      await store.wrote(2, '/p/a', 'hash of two');
      await store.save(2, '/p/new', null);
      await store.save(10, '/p/a', state('two'));
      await store.wrote(10, '/p/a', null);
      const again = reopen();
      expect(await again.turns()).toEqual([
        {
          turn: 2,
          files: [
            { path: '/p/a', before: saved('one', 0o755), after: 'hash of two' },
            { path: '/p/new', before: null },
          ],
          commands: [],
          notes: [],
          undone: null,
        },
        {
          turn: 10,
          files: [{ path: '/p/a', before: saved('two'), after: null }],
          commands: [],
          notes: [],
          undone: null,
        },
      ]);
      expect(await text(again.load(2, '/p/a', 'before'))).toBe('one');
      expect(await text(again.load(10, '/p/a', 'before'))).toBe('two');
    });

    it('keeps bytes as they are, empty ones too', async () => {
      const { store, reopen } = await open();
      const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
      await store.save(1, '/p/bytes', { bytes, hash: 'h', mode: 0o600 });
      await store.save(1, '/p/empty', { bytes: new Uint8Array(), hash: 'e', mode: 0o600 });
      const again = reopen();
      expect([...(await again.load(1, '/p/bytes', 'before'))]).toEqual([...bytes]);
      expect((await again.load(1, '/p/empty', 'before')).length).toBe(0);
    });

    it('keeps each of many saves that come at once', async () => {
      const { store, reopen } = await open();
      const paths = Array.from({ length: 20 }, (_, at) => `/p/${at}`);
      await Promise.all(paths.map((path) => store.save(1, path, state(path))));
      await Promise.all(paths.map((path) => store.wrote(1, path, 'x')));
      const again = reopen();
      expect((await again.turns())[0]?.files.map((file) => [file.path, file.after])).toEqual(
        paths.map((path) => [path, 'x']),
      );
      expect(await Promise.all(paths.map((path) => text(again.load(1, path, 'before'))))).toEqual(paths);
    });

    it('names each command of a turn once', async () => {
      const { store, reopen } = await open();
      await store.ran(1, 'npm test');
      await store.ran(1, 'make');
      await store.ran(1, 'npm test');
      expect(await reopen().turns()).toEqual([
        { turn: 1, files: [], commands: ['npm test', 'make'], notes: [], undone: null },
      ]);
    });

    it('adds what the comparison of trees found, all at once, and notes', async () => {
      const { store, reopen } = await open();
      const tree = { name: 'turn-1', older: 1, compared: null };
      await store.save(1, '/p/a', state('one'));
      await store.setTree(1, tree);
      await store.save(1, '/p/b', state('late'));
      await store.note(1, 'not all');
      await store.note(1, 'not all');
      async function* found() {
        yield { path: '/p/a', before: undefined, after: 'hash of a', made: 0 };
        yield { path: '/p/b', before: state('early', 0o600), after: null, made: 0 };
        yield { path: '/p/x/new', before: null, after: undefined, made: 1 };
      }
      await store.compared(1, { ...tree, compared: 'in_time' }, found());
      const again = reopen();
      expect(await again.turns()).toEqual([
        {
          turn: 1,
          files: [
            { path: '/p/a', before: saved('one'), after: 'hash of a' },
            { path: '/p/b', before: saved('early', 0o600), after: null },
            { path: '/p/x/new', before: null, made: 1 },
          ],
          commands: [],
          notes: ['not all'],
          tree: { ...tree, compared: 'in_time' },
          undone: null,
        },
      ]);
      expect(await text(again.load(1, '/p/b', 'before'))).toBe('early');
    });

    it('keeps what a redo needs while a turn is undone, the latest such state', async () => {
      const { store, reopen } = await open();
      await store.save(1, '/p/a', state('one'));
      await store.save(1, '/p/b', null);
      await store.saveUndone(1, '/p/a', state('two'));
      await store.saveUndone(1, '/p/a', state('three', 0o600));
      await store.saveUndone(1, '/p/b', null);
      await store.setUndone(1, 4);
      const undone = reopen();
      expect(await undone.turns()).toEqual([
        {
          turn: 1,
          files: [
            { path: '/p/a', before: saved('one'), undone: saved('three', 0o600) },
            { path: '/p/b', before: null, undone: null },
          ],
          commands: [],
          notes: [],
          undone: 4,
        },
      ]);
      expect(await text(undone.load(1, '/p/a', 'undone'))).toBe('three');
      expect(await text(undone.load(1, '/p/a', 'before'))).toBe('one');
      await undone.setUndone(1, null);
      expect(await reopen().turns()).toEqual([
        {
          turn: 1,
          files: [
            { path: '/p/a', before: saved('one') },
            { path: '/p/b', before: null },
          ],
          commands: [],
          notes: [],
          undone: null,
        },
      ]);
    });

    it('says so when it is asked for what it does not have', async () => {
      const { store } = await open();
      await store.save(1, '/p/a', null);
      expect(await kindOf(store.load(1, '/p/a', 'before'))).toBe('restore');
      expect(await kindOf(store.load(1, '/p/other', 'before'))).toBe('restore');
      expect(await kindOf(store.load(7, '/p/a', 'undone'))).toBe('restore');
      expect(await kindOf(store.wrote(1, '/p/other', 'x'))).toBe('capture');
    });
  });
}
