import { isPortError } from '../../../ports/errors.ts';
import type { FileSystem } from '../../../ports/filesystem.ts';
import type { TestKit } from '../test-kit.ts';

/** One empty folder to try a `FileSystem` in, and ways to set it up without the port's help. */
export interface FileSystemTrial {
  files: FileSystem;
  /** Absolute, without symbolic links. */
  root: string;
  link(path: string, target: string): Promise<void>;
  /** Makes something that is neither file, folder nor link. */
  special(path: string): Promise<void>;
  end(): Promise<void>;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder().decode(content);

/** Resolves to the kind of file error that `promise` fails with, or to `none`. */
async function kindOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return isPortError(error, 'file') ? error.kind : `not a file error: ${String(error)}`;
  }
}

/** What every `FileSystem` does (spec: tools, "Paths"). `begin` gives a fresh trial for each test. */
export function testFileSystem(
  name: string,
  { describe, it, expect }: TestKit,
  begin: () => Promise<FileSystemTrial>,
): void {
  const trial = (title: string, body: (one: FileSystemTrial) => Promise<void>) => {
    it(title, async () => {
      const one = await begin();
      try {
        await body(one);
      } finally {
        await one.end();
      }
    });
  };

  describe(`${name}: the contract of FileSystem`, () => {
    trial('writes a file with the folders above it, and reads it back with its hash', async (on) => {
      const path = `${on.root}/a/b/c.txt`;
      const hash = await on.files.write(path, bytes('één\n'));
      const read = await on.files.read(path);
      expect([text(read.bytes), read.hash, read.stat.kind, read.stat.size]).toEqual([
        'één\n',
        hash,
        'file',
        6,
      ]);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await on.files.list(`${on.root}/a/b`)).toEqual([{ name: 'c.txt', kind: 'file' }]);
    });

    trial('reads a part, without a hash', async (on) => {
      const path = `${on.root}/f`;
      await on.files.write(path, bytes('0123456789'));
      const part = await on.files.read(path, { offset: 3, length: 4 });
      const end = await on.files.read(path, { offset: 8, length: 100 });
      expect([text(part.bytes), part.hash, part.stat.size, text(end.bytes)]).toEqual([
        '3456',
        null,
        10,
        '89',
      ]);
    });

    trial('keeps the mode of a file that it replaces, and takes a new one', async (on) => {
      const path = `${on.root}/run.sh`;
      await on.files.write(path, bytes('a'), { mode: 0o755 });
      await on.files.write(path, bytes('b'));
      const kept = (await on.files.stat(path))?.mode;
      await on.files.write(path, bytes('c'), { mode: 0o600 });
      expect([kept, (await on.files.stat(path))?.mode]).toEqual([0o755, 0o600]);
    });

    trial('replaces only what is as expected', async (on) => {
      const path = `${on.root}/f`;
      const hash = await on.files.write(path, bytes('old'), { expect: null });
      const kinds = [
        await kindOf(on.files.write(path, bytes('x'), { expect: null })),
        await kindOf(on.files.write(path, bytes('new'), { expect: hash })),
        await kindOf(on.files.write(path, bytes('x'), { expect: hash })),
        await kindOf(on.files.write(`${on.root}/gone`, bytes('x'), { expect: hash })),
      ];
      expect(kinds).toEqual(['changed', 'none', 'changed', 'changed']);
      expect(text((await on.files.read(path)).bytes)).toBe('new');
      expect(await on.files.list(on.root)).toEqual([{ name: 'f', kind: 'file' }]);
    });

    trial('says of what kind an error is', async (on) => {
      await on.files.write(`${on.root}/f`, bytes('x'));
      await on.special(`${on.root}/pipe`);
      const kinds = [
        await kindOf(on.files.read(`${on.root}/none`)),
        await kindOf(on.files.read(on.root)),
        await kindOf(on.files.read(`${on.root}/pipe`)),
        await kindOf(on.files.write(`${on.root}/pipe`, bytes('x'))),
        await kindOf(on.files.write(on.root, bytes('x'))),
        await kindOf(on.files.write(`${on.root}/f/x`, bytes('x'))),
        await kindOf(on.files.list(`${on.root}/none`)),
        await kindOf(on.files.list(`${on.root}/f`)),
        await kindOf(on.files.remove(`${on.root}/none`)),
        await kindOf(on.files.remove(on.root)),
      ];
      const expected = ['not_found', 'not_a_file', 'not_a_file', 'not_a_file', 'not_a_file', 'not_a_folder'];
      expect(kinds).toEqual([...expected, 'not_found', 'not_a_folder', 'not_found', 'not_a_file']);
      expect(await on.files.stat(`${on.root}/none`)).toBe(null);
      expect(await on.files.stat(`${on.root}/f/x`)).toBe(null);
    });

    trial('lists by code point, links as links', async (on) => {
      for (const one of ['b', 'B', 'é', '10', '9', '\u{1f600}', '\uff21', '.dot']) {
        await on.files.write(`${on.root}/${one}`, bytes(''));
      }
      await on.link(`${on.root}/link`, 'b');
      const names = (await on.files.list(on.root)).map((entry) => `${entry.name} ${entry.kind}`);
      expect(names).toEqual([
        '.dot file',
        '10 file',
        '9 file',
        'B file',
        'b file',
        'link link',
        'é file',
        '\uff21 file',
        '\u{1f600} file',
      ]);
    });

    trial('resolves by text, and names the links on the way', async (on) => {
      const { root, files } = on;
      await files.write(`${root}/real/f`, bytes('x'));
      await on.link(`${root}/near`, 'real');
      await on.link(`${root}/far`, `${root}/near/f`);
      await on.link(`${root}/broken`, 'nowhere');
      await on.link(`${root}/loop`, 'loop');
      const seen = async (path: string) => {
        const { stat, ...rest } = await files.resolve(path, `${root}/real`);
        return { ...rest, kind: stat?.kind ?? null };
      };
      const file = `${root}/real/f`;
      expect(await seen('./x/../f')).toEqual({ path: file, links: [], target: file, kind: 'file' });
      expect(await seen('../near/f')).toEqual({
        path: `${root}/near/f`,
        links: [`${root}/near`],
        target: file,
        kind: 'file',
      });
      expect(await seen(`${root}/far`)).toEqual({
        path: `${root}/far`,
        links: [`${root}/far`, `${root}/near`],
        target: file,
        kind: 'link',
      });
      expect(await seen('new/g')).toEqual({
        path: `${root}/real/new/g`,
        links: [],
        target: null,
        kind: null,
      });
      expect(await seen('../broken')).toEqual({
        path: `${root}/broken`,
        links: [`${root}/broken`],
        target: null,
        kind: 'link',
      });
      const loop = await files.resolve('../loop', `${root}/real`);
      expect([loop.target, loop.stat?.kind]).toEqual([null, 'link']);
    });

    trial(
      'reads and looks through links, does not write through them, removes the link itself',
      async (on) => {
        await on.files.write(`${on.root}/f`, bytes('x'));
        await on.link(`${on.root}/link`, 'f');
        expect(text((await on.files.read(`${on.root}/link`)).bytes)).toBe('x');
        expect((await on.files.stat(`${on.root}/link`))?.kind).toBe('file');
        expect(await kindOf(on.files.write(`${on.root}/link`, bytes('y')))).toBe('not_a_file');
        await on.files.remove(`${on.root}/link`);
        expect(await on.files.list(on.root)).toEqual([{ name: 'f', kind: 'file' }]);
        expect(text((await on.files.read(`${on.root}/f`)).bytes)).toBe('x');
      },
    );

    trial('writes and removes nothing through a link on the way', async (on) => {
      await on.files.write(`${on.root}/real/f`, bytes('x'));
      await on.link(`${on.root}/link`, 'real');
      const acts = ['link/f', 'link/new', 'link/new/g'].map((path) => `${on.root}/${path}`);
      for (const path of acts) expect(await kindOf(on.files.write(path, bytes('y')))).toBe('refused');
      expect(await kindOf(on.files.remove(`${on.root}/link/f`))).toBe('refused');
      expect(await on.files.list(`${on.root}/real`)).toEqual([{ name: 'f', kind: 'file' }]);
      expect(text((await on.files.read(`${on.root}/real/f`)).bytes)).toBe('x');
    });

    trial('says where the file lies that was read', async (on) => {
      const path = `${on.root}/real/f`;
      await on.files.write(path, bytes('xyz'));
      await on.link(`${on.root}/link`, 'real');
      const range = { offset: 1, length: 1 };
      const reads = await Promise.all([
        on.files.read(path),
        on.files.read(`${on.root}/link/f`),
        on.files.read(`${on.root}/link/f`, range),
      ]);
      expect(reads.map(({ target }) => target)).toEqual([path, path, path]);
    });
  });
}
