import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { guardFiles, untilAborted } from '../../../domain/files/guards.ts';
import { parseRules } from '../../../domain/permissions/rules.ts';
import { isPortError } from '../../../ports/errors.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';
import { memoryFiles, type MemoryFiles } from '../../../plugins/testing/memory-files.ts';

const place = { cwd: '/p', project: '/p', home: '/home/me' };
const encode = (text: string) => new TextEncoder().encode(text);

function guarded(files: MemoryFiles, deny: string[] = []) {
  const store = memoryCheckpoints();
  const checkpoints = new Checkpoints(store, files, place);
  const { rules } = parseRules({ allow: [], ask: [], deny: deny.map((text) => ({ text })) });
  checkpoints.begin(1);
  return {
    store,
    checkpoints,
    files: guardFiles(files, {
      place,
      hidden: ['/home/me/.larik', '/p/.ssh'],
      own: ['/p/.cache/larik'],
      rules: () => rules,
      checkpoints,
    }),
  };
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return isPortError(error, 'file') ? error.kind : String(error);
  }
}

describe('the files that tools get', () => {
  it('change nothing any more once the turn was interrupted', async () => {
    const raw = memoryFiles({ '/p/a': 'a' });
    const abort = new AbortController();
    const files = untilAborted(raw, abort.signal);
    expect(await kindOf(files.write('/p/b', encode('b')))).toBe('done');
    abort.abort();
    const before = raw.snapshot();
    expect([await kindOf(files.write('/p/a', encode('y'))), await kindOf(files.remove('/p/b'))]).toEqual([
      'refused',
      'refused',
    ]);
    expect([raw.snapshot(), await kindOf(files.read('/p/a'))]).toEqual([before, 'done']);
  });

  it('refuse to write outside, through links and to protected files', async () => {
    const raw = memoryFiles({ '/out/f': 'x', '/p/a': 'a', '/p/.git/config': 'c' })
      .link('/p/link', '/out/f')
      .link('/p/dir', '/out');
    const before = raw.snapshot();
    const { files, store } = guarded(raw);
    const paths = [
      '/out/f',
      '/p/../out/f',
      '/p/.cache/larik/code.bin',
      '/p/link',
      '/p/dir/f',
      '/p/.git/config',
      '/p/.larik/settings.json',
      '/p/.SSH/authorized_keys',
      '/p',
    ];
    const kinds = await Promise.all(
      paths.flatMap((path) => [kindOf(files.write(path, encode('y'))), kindOf(files.remove(path))]),
    );
    expect(kinds).toEqual(kinds.map(() => 'refused'));
    expect(raw.snapshot()).toEqual(before);
    expect(store.calls).toEqual([]);
  });

  it("show nothing of larik's own settings, under any name", async () => {
    const raw = memoryFiles({ '/home/me/.larik/config.json': 'key', '/p/a': 'a' }).link(
      '/p/l',
      '/home/me/.larik',
    );
    const { files } = guarded(raw);
    expect(await kindOf(files.read('/home/me/.larik/config.json'))).toBe('refused');
    expect(await kindOf(files.read('/p/l/config.json'))).toBe('refused');
    expect(await kindOf(files.list('/p/l'))).toBe('refused');
    expect(await files.readable(['/home/me/.larik/config.json', '/p/a'])).toEqual([false, true]);
  });

  it('show nothing when reading is denied altogether', async () => {
    const { files } = guarded(memoryFiles({ '/p/a': 'a' }), ['read']);
    expect(await kindOf(files.read('/p/a'))).toBe('refused');
    expect(await files.readable(['/p/a'])).toEqual([false]);
  });

  it('do not write what cannot be captured', async () => {
    const raw = memoryFiles({ '/p/a': 'a' });
    const { files, store } = guarded(raw);
    store.failing.add('/p/a');
    expect(await kindOf(files.write('/p/a', encode('b')))).toBe('refused');
    expect(await kindOf(files.remove('/p/a'))).toBe('refused');
    expect(raw.snapshot()).toEqual({ '/p/a': 'a' });
    store.failing.clear();
    expect(await kindOf(files.write('/p/a', encode('b')))).toBe('done');
    expect(store.calls).toEqual(['save 1 /p/a', 'wrote 1 /p/a']);
  });

  it('keep what a read rule denies, by any name', async () => {
    const raw = memoryFiles({ '/p/secret/key': 'k', '/p/a': 'a' }).link('/p/alias', '/p/secret/key');
    const { files } = guarded(raw, ['read(secret/**)']);
    const paths = ['/p/secret/key', '/p/alias', '/p/x/../secret/key', '/p/SECRET/key', '/p/a'];
    expect(await files.readable(paths)).toEqual([false, false, false, false, true]);
    const reads = await Promise.all(paths.slice(0, 3).map((path) => kindOf(files.read(path))));
    expect([...reads, await kindOf(files.list('/p/secret'))]).toEqual(
      reads.concat('refused').map(() => 'refused'),
    );
    expect(await kindOf(files.read('/p/a'))).toBe('done');
  });

  it('I7 never change a file whose earlier state is not saved', async () => {
    const path = fc.constantFrom(
      '/p/a',
      '/p/b',
      '/p/sub/c',
      '/p/link',
      '/p/.git/hooks/x',
      '/out/z',
      '/p/a/../b',
    );
    const act = fc.record({
      turn: fc.boolean(),
      path,
      text: fc.option(fc.string({ maxLength: 4 }), { nil: null }),
      full: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const raw = memoryFiles({ '/p/a': 'a', '/out/z': 'z' }).link('/p/link', '/out/z');
        const { files, store, checkpoints } = guarded(raw);
        let turn = 1;
        let atStart = raw.snapshot();
        for (const { turn: next, path, text, full } of acts) {
          if (next) {
            turn += 1;
            checkpoints.begin(turn);
            atStart = raw.snapshot();
          }
          store.failing.clear();
          if (full) ['/p/a', '/p/b', '/p/sub/c'].forEach((one) => store.failing.add(one));
          await kindOf(text === null ? files.remove(path) : files.write(path, encode(text)));
          const now = raw.snapshot();
          const saved = (await store.turns()).find((one) => one.turn === turn)?.files ?? [];
          for (const name of new Set([...Object.keys(now), ...Object.keys(atStart)])) {
            if (now[name] === atStart[name]) continue;
            const state = saved.find((file) => file.path === name);
            expect(state).toBeDefined();
            const before = state?.before
              ? new TextDecoder().decode(await store.load(turn, name, 'before'))
              : undefined;
            expect(before).toBe(atStart[name]);
          }
        }
        expect(raw.text('/out/z')).toBe('z');
      }),
      { numRuns: 100 },
    );
  });
});
