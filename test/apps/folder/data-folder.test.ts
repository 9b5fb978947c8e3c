import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../apps/folder/data-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'larik-data-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('makeDataFolder', () => {
  it('is made once, however many begin at the same time', async () => {
    const path = join(root, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeDataFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('is named in one line where it cannot be made', async () => {
    await writeFile(join(root, 'a\nb'), '');
    await expect(makeDataFolder(join(root, 'a\nb', 'c'))).rejects.toThrow(/\/a\\nb\/c cannot be made/);
  });
});
