import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { git, type GitPlace } from './git.ts';

/** Where a project's repository keeps what larik only reads. Absolute paths. */
interface UsersRepository {
  /** Of this work tree, and what all work trees of it share. */
  folder: string;
  common: string;
  index: string;
  /** Of the objects; null if they cannot be shared. */
  objects: string | null;
  excludes: string;
}

/** What a file holds; null if there is none that can be read. */
export async function textOf(path: string): Promise<string | null> {
  try {
    // A pipe in its place would never end.
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : null;
  } catch {
    return null; // what is not there, or not readable, says nothing
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Found by reading files, since to ask git would be to run it with the repository's configuration. */
export async function usersRepository(project: string): Promise<UsersRepository> {
  const dotGit = join(project, '.git');
  // In a linked work tree `.git` is a file that names the folder.
  const named = (await isFolder(dotGit)) ? null : /^gitdir: (.+)$/m.exec((await textOf(dotGit)) ?? '')?.[1];
  const folder = named ? resolve(project, named.trim()) : dotGit;
  const shared = await textOf(join(folder, 'commondir'));
  const common = shared === null ? folder : resolve(folder, shared.trim());
  const objects = join(common, 'objects');
  const sha256 = /objectformat\s*=\s*"?sha256/i.test((await textOf(join(common, 'config'))) ?? '');
  return {
    folder,
    common,
    index: join(folder, 'index'),
    objects: !sha256 && !objects.includes('\n') && (await isFolder(objects)) ? objects : null,
    excludes: join(common, 'info', 'exclude'),
  };
}

/** Wins over every `.gitattributes`: bytes go in and come out as they are. */
const attributes = '* -text -ident !eol !crlf !filter !working-tree-encoding\n';

/** The file with what the user ignores everywhere. */
async function userExcludes(place: GitPlace, signal: AbortSignal): Promise<string> {
  const config = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  for (const file of [join(homedir(), '.gitconfig'), join(config, 'git', 'config')]) {
    if ((await textOf(file)) === null) continue;
    const args = ['config', '--file', file, '--no-includes', '--get', 'core.excludesFile'];
    // Exit code 1: it does not say.
    const named = await git(place, args, signal).catch(() => Buffer.alloc(0));
    const path = named.toString('utf8').trim();
    if (path !== '') return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  }
  return join(config, 'git', 'ignore');
}

/** A line that leaves a folder out, if it lies in the project. */
function excluded(path: string, project: string): string {
  const inside = relative(project, path).replaceAll('\\', '/');
  if (inside === '' || inside === '..' || inside.startsWith('../')) return '';
  return `/${inside.replace(/[\\*?[\]!# ]/g, '\\$&')}/`;
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function configuration(excludes: string): string {
  const values = {
    repositoryformatversion: '0',
    bare: 'false',
    filemode: 'true',
    symlinks: 'true',
    autocrlf: 'false',
    safecrlf: 'false',
    fsmonitor: 'false',
    hooksPath: '/dev/null',
    attributesFile: '/dev/null',
    looseCompression: '1',
    splitIndex: 'false',
    excludesFile: quoted(excludes),
  };
  const lines = Object.entries(values).map(([name, value]) => `\t${name} = ${value}\n`);
  return `[core]\n${lines.join('')}[gc]\n\tauto = 0\n`;
}

/** Larik's own repository over a project. */
export interface OwnRepository {
  place: GitPlace;
  /** The user's index; null if there is none. */
  usersIndex: string | null;
}

/**
 * Makes the repository in `folder`, or brings it up to date: its own index, objects and configuration,
 * and the user's objects as an alternate, so that what is committed is not copied. Of the user's
 * repository only the ignored paths are taken over.
 */
export async function ownRepository(
  { folder, project, own }: { folder: string; project: string; own: readonly string[] },
  signal: AbortSignal,
): Promise<OwnRepository> {
  const place: GitPlace = { gitFolder: folder, workTree: project };
  const users = await usersRepository(project);
  const options = { recursive: true, mode: 0o700 };
  for (const name of ['objects/info', 'refs', 'info']) await mkdir(join(folder, name), options);
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, name), text, { mode: 0o600 });
  await write('HEAD', 'ref: refs/heads/none\n');
  await write('info/attributes', attributes);
  const excludes = [(await textOf(users.excludes)) ?? '', ...own.map((path) => excluded(path, project))];
  await write('info/exclude', `${excludes.join('\n')}\n`);
  await write('objects/info/alternates', users.objects === null ? '' : `${quoted(users.objects)}\n`);
  await write('config', configuration('/dev/null'));
  await write('config', configuration(await userExcludes(place, signal)));
  // Left by a process that was killed: a session is one process's at a time.
  await rm(join(folder, 'index.lock'), { force: true });
  const hasIndex = (await stat(users.index).catch(() => null))?.isFile() ?? false;
  return { place, usersIndex: hasIndex ? users.index : null };
}
