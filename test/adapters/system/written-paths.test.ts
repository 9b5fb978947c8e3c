import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { writeRefusal } from '../../../domain/permissions/path-policy.ts';
import { isPortError } from '../../../ports/errors.ts';

const files = new LocalFiles();
const bytes = (text: string) => new TextEncoder().encode(text);
let base = '';
beforeAll(async () => {
  base = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'larik-paths-')));
});
afterAll(() => fs.rm(base, { recursive: true }));

interface Entry {
  kind: 'folder' | 'file' | 'link' | 'hardlink';
  at: string;
  target: string;
}

const name = fc.constantFrom('a', 'b', 'c', '.git', '.GIT', '.g\u200cit', '.larik', '.mcp.json');
const target = fc.constantFrom(
  '..',
  '.',
  'a',
  'b',
  '.git',
  '../outside',
  '../../outside',
  '../outside/f',
  'c',
);
const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('folder', 'file', 'link', 'hardlink'),
  at: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  target,
});
const part = fc.oneof(name, fc.constantFrom('..', '.', '', 'a', 'b', 'new', 'a ', '.git.', 'outside', 'f'));
const spelling = fc.record({
  start: fc.constantFrom(
    '',
    './',
    '{project}/',
    '{project}/../outside/',
    '{project}-evil/',
    '/proc/self/cwd/',
  ),
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
  end: fc.constantFrom('', '/', '/.'),
});

/** As far as it can be set up: an entry may stand in another's way. */
async function setUp(project: string, outside: string, entries: readonly Entry[]): Promise<void> {
  for (const { kind, at, target: to } of entries) {
    const path = join(project, at);
    const made = async (): Promise<void> => {
      await fs.mkdir(join(path, '..'), { recursive: true });
      if (kind === 'folder') await fs.mkdir(path);
      else if (kind === 'file') await fs.writeFile(path, 'old', { flag: 'wx' });
      else if (kind === 'link') await fs.symlink(to, path);
      else await fs.link(join(outside, 'f'), path);
    };
    await made().catch(() => undefined);
  }
}

/** Every plain file below a folder by its content; no link is followed. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const one of await fs.readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(one.parentPath, one.name);
    if (one.isFile()) found[path] = await fs.readFile(path, 'utf8');
  }
  return found;
}

/** Slow, and sure: what may change lies in the project by its real path, with no protected name on it. */
async function mayChange(path: string, project: string): Promise<boolean> {
  const inner = relative(project, await fs.realpath(path));
  if (inner === '' || inner.startsWith('..')) return false;
  const parts = inner.split('/').map((one) => one.replaceAll('\u200c', '').toLowerCase());
  return !parts.some((one) => ['.git', '.larik', '.claude', '.mcp.json', '.git.'].includes(one));
}

describe('what the path policy lets pass', () => {
  it('changes nothing outside and nothing protected, whatever links lie about', async () => {
    let round = 0;
    let written = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 8 }),
        fc.array(spelling, { minLength: 1, maxLength: 6 }),
        async (entries, spellings) => {
          const root = join(base, String((round += 1)));
          const [project, outside] = [join(root, 'project'), join(root, 'outside')];
          await fs.mkdir(join(project, '.git'), { recursive: true });
          await fs.mkdir(outside);
          await fs.writeFile(join(project, '.git', 'config'), 'ours');
          await fs.writeFile(join(outside, 'f'), 'theirs');
          await setUp(project, outside, entries);
          for (const { start, parts, end } of spellings) {
            const path = start.replace('{project}', project) + parts.join('/') + end;
            const resolved = await files.resolve(path, project);
            if (writeRefusal(resolved, { project }) !== null) continue;
            const before = await contents(root);
            try {
              await files.write(resolved.path, bytes(`new ${round}`));
              written += 1;
            } catch (error) {
              if (!isPortError(error, 'file')) throw error;
            }
            const after = await contents(root);
            const names = new Set([...Object.keys(before), ...Object.keys(after)]);
            for (const one of [...names].filter((each) => before[each] !== after[each])) {
              expect([path, one, await mayChange(one, project)]).toEqual([path, resolved.path, true]);
            }
          }
          await fs.rm(root, { recursive: true });
        },
      ),
      { numRuns: 120 },
    );
    expect(written).toBeGreaterThan(20);
  });
});

describe('an odd spelling of a path', () => {
  let project = '';
  beforeAll(async () => {
    project = join(base, 'odd', 'project');
    await fs.mkdir(join(project, '.git'), { recursive: true });
    await fs.mkdir(join(project, 'src'));
  });

  /** What the policy says, shortly; `write` is where it would be written. */
  async function judged(path: string): Promise<string> {
    try {
      const resolved = await files.resolve(path, project);
      const refusal = writeRefusal(resolved, { project });
      if (refusal === null) return `write ${JSON.stringify(relative(project, resolved.path))}`;
      return ['outside the project', 'folder itself', 'protected', 'symbolic link'].find((one) =>
        refusal.includes(one),
      ) as string;
    } catch (error) {
      return isPortError(error, 'file') ? error.kind : String(error);
    }
  }

  it.runIf(process.platform !== 'win32').each([
    ['', 'folder itself'],
    ['.', 'folder itself'],
    ['src/..', 'folder itself'],
    ['/', 'outside the project'],
    ['//etc/hosts', 'outside the project'],
    ['~', 'outside the project'],
    ['src/../../project-evil/x', 'outside the project'],
    ['.git/', 'protected'],
    ['./.git//config/', 'protected'],
    ['.git\\config', 'protected'],
    ['src\\.git\\hooks\\x', 'protected'],
    ['.git:stream', 'protected'],
    ['.git . .', 'protected'],
    ['．ｇｉｔ/config', 'protected'],
    ['.gi\u0000t', 'not_found'],
    ['src/\u0000', 'not_found'],
    // No URL, but names: nothing decodes or rewrites them later.
    ['file:///etc/passwd', 'write "file:/etc/passwd"'],
    ['file://localhost/.git/config', 'protected'],
    ['%2e%2e/x', 'write "%2e%2e/x"'],
    ['%2egit/config', 'write "%2egit/config"'],
    ['..\\x', 'write "..\\\\x"'],
    ['src/a/', 'write "src/a"'],
    [' .gitx', 'write " .gitx"'],
    ['~x', 'write "~x"'],
    ['$HOME/x', 'write "$HOME/x"'],
  ])('%j: %s', async (path, expected) => {
    expect(await judged(path)).toBe(expected);
  });

  it.runIf(process.platform !== 'win32')('never leads a hard link to change the other name', async () => {
    const outside = join(base, 'odd', 'secret');
    await fs.writeFile(outside, 'theirs', { mode: 0o640 });
    await fs.link(outside, join(project, 'twin'));
    await files.write(join(project, 'twin'), bytes('ours'));
    expect([await fs.readFile(outside, 'utf8'), await fs.readFile(join(project, 'twin'), 'utf8')]).toEqual([
      'theirs',
      'ours',
    ]);
  });
});
