import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../../domain/text/path-text.ts';
import type { CaseFiles } from './permission-case.ts';

/** A project to decide in, with a folder `outside` beside it. */
export interface TemporaryProject {
  /** Absolute, without links on its way. */
  path: string;
  remove(): Promise<void>;
}

const alwaysThere = {
  dirs: ['.git/hooks', '.git/objects'],
  files: {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\tbare = false\n',
    'src/index.ts': 'export {};\n',
    'docs/guide.md': '# Guide\n',
    '.env': 'KEY=value\n',
    'README.md': '# Project\n',
    'package.json': '{}\n',
    '../outside/secret.txt': 'secret\n',
  },
};

/** Sets a project up with what is always there, and then with `files`. */
export async function temporaryProject(files?: CaseFiles): Promise<TemporaryProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-case-')));
  const path = join(base, 'project');
  const remove = () => rm(base, { recursive: true, force: true });
  try {
    await mkdir(path);
    await setUp(base, path, { ...alwaysThere, symlinks: {}, hardlinks: {} });
    if (files !== undefined) await setUp(base, path, files);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

async function setUp(base: string, project: string, files: CaseFiles): Promise<void> {
  const at = async (name: string): Promise<string> => {
    const path = resolve(project, name);
    // Nothing is made elsewhere, not even by way of a link that the case itself made.
    if (path === base || !isInside(path, base)) throw new Error(`${name} lies outside the temporary project`);
    if (!isInside(await realOf(dirname(path)), base))
      throw new Error(`${name} leads out of the temporary project`);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  for (const name of files.dirs) await mkdir(await at(name), { recursive: true });
  for (const [name, content] of Object.entries(files.files)) await writeFile(await at(name), content);
  for (const [name, target] of Object.entries(files.symlinks)) await symlink(target, await at(name));
  for (const [name, existing] of Object.entries(files.hardlinks))
    await link(await at(existing), await at(name));
}

/** Where the nearest folder that exists really lies. */
async function realOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return realOf(dirname(folder));
  }
}
