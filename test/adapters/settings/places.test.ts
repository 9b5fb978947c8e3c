import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placesOf, projectId } from '../../../adapters/settings/places.ts';
import { findProject } from '../../../adapters/settings/project-root.ts';

describe('the places of larik’s files', () => {
  const home = '/home/me';

  it('follow XDG on Linux, absolute paths only', () => {
    expect(placesOf({ platform: 'linux', env: {}, home })).toEqual({
      config: '/home/me/.config/larik',
      data: '/home/me/.local/share/larik',
      cache: '/home/me/.cache/larik',
    });
    const env = { XDG_CONFIG_HOME: '/x', XDG_DATA_HOME: 'relative', XDG_CACHE_HOME: '' };
    expect(placesOf({ platform: 'linux', env, home })).toEqual({
      config: '/x/larik',
      data: '/home/me/.local/share/larik',
      cache: '/home/me/.cache/larik',
    });
  });

  it('are the usual ones on macOS and Windows', () => {
    expect(placesOf({ platform: 'darwin', env: { XDG_CONFIG_HOME: '/x' }, home })).toEqual({
      config: '/home/me/.config/larik',
      data: '/home/me/Library/Application Support/larik',
      cache: '/home/me/Library/Caches/larik',
    });
    const env = { APPDATA: 'C:\\Users\\me\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\Local' };
    const windows = {
      config: 'C:\\Users\\me\\Roaming\\larik',
      data: 'C:\\Users\\me\\Local\\larik',
      cache: 'C:\\Users\\me\\Local\\larik\\cache',
    };
    expect(placesOf({ platform: 'win32', env, home: 'C:\\Users\\me' })).toEqual(windows);
    expect(placesOf({ platform: 'win32', env: {}, home: 'C:\\Users\\me' }).config).toBe(
      'C:\\Users\\me\\AppData\\Roaming\\larik',
    );
  });

  it('are moved as one by LARIK_HOME', () => {
    const env = { LARIK_HOME: '/elsewhere', XDG_CONFIG_HOME: '/x' };
    for (const platform of ['linux', 'darwin'] as const) {
      expect(placesOf({ platform, env, home })).toEqual({
        config: '/elsewhere/config',
        data: '/elsewhere/data',
        cache: '/elsewhere/cache',
      });
      for (const relative of ['', '.', 'elsewhere', '~/elsewhere']) {
        const ignored = placesOf({ platform, env: { LARIK_HOME: relative }, home });
        expect(ignored).toEqual(placesOf({ platform, env: {}, home }));
      }
    }
  });
});

describe('a project’s id', () => {
  it('is the end of its path, made safe, and its hash', () => {
    expect(projectId('/home/me/my app')).toBe('my-app-38d8f0bc');
    const paths = [
      '/a/app',
      '/b/app',
      '/',
      '/x/..hidden',
      '/x/ü',
      `/x/${'long'.repeat(50)}`,
      '/x/a:b*c?',
      'C:\\work\\app',
    ];
    const ids = paths.map(projectId);
    expect(ids.every((id) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,40}-[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(paths.length);
    expect(projectId('/a/app')).toBe(projectId('/a/app'));
  });
});

describe('the project', () => {
  it('is the nearest folder upwards with .git, a file or a folder, else the folder itself', async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-project-')));
    try {
      await mkdir(join(base, 'repo', '.git'), { recursive: true });
      await mkdir(join(base, 'repo', 'sub', 'deep'), { recursive: true });
      await mkdir(join(base, 'repo', 'tree', 'in'), { recursive: true });
      await writeFile(join(base, 'repo', 'tree', '.git'), 'gitdir: elsewhere');
      await mkdir(join(base, 'plain'));
      await symlink(join(base, 'repo', 'sub'), join(base, 'link'));
      expect(await findProject(join(base, 'repo', 'sub', 'deep'))).toBe(join(base, 'repo'));
      expect(await findProject(join(base, 'repo', 'tree', 'in'))).toBe(join(base, 'repo', 'tree'));
      expect(await findProject(join(base, 'plain'))).toBe(join(base, 'plain'));
      expect(await findProject(join(base, 'link', 'deep'))).toBe(join(base, 'repo'));
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });

  it('is not what a repository says it is, nor a work tree called .git', async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-root-')));
    try {
      // A trusted repository, and one whose `.git` points at it in every way that git obeys.
      await mkdir(join(base, 'trusted', '.git', 'worktrees', 'w'), { recursive: true });
      await mkdir(join(base, 'forged', 'sub'), { recursive: true });
      await writeFile(join(base, 'forged', '.git'), `gitdir: ${base}/trusted/.git/worktrees/w\n`);
      await mkdir(join(base, 'common', '.git'), { recursive: true });
      await writeFile(join(base, 'common', '.git', 'commondir'), `${base}/trusted/.git\n`);
      const config = `[core]\n\tworktree = ${base}/trusted\n`;
      await writeFile(join(base, 'common', '.git', 'config'), config);
      expect(await findProject(join(base, 'forged', 'sub'))).toBe(join(base, 'forged'));
      expect(await findProject(join(base, 'common'))).toBe(join(base, 'common'));
      for (const name of ['.git', '.GIT']) {
        const tree = join(base, 'odd', name);
        await mkdir(join(tree, 'hooks'), { recursive: true });
        await writeFile(join(tree, '.git'), `gitdir: ${base}/trusted/.git/worktrees/w\n`);
        expect(await findProject(tree)).toBe(join(base, 'odd'));
        expect(await findProject(join(tree, 'hooks'))).toBe(join(base, 'odd'));
      }
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });
});
