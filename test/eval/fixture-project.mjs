// A task's project: small files in a git repository of their own, in a temporary folder.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The environment without what would lead git to another repository, make `node --test` a part of
 * another run, or choose the model or the mode.
 */
export function cleanEnvironment() {
  const dropped = /^(GIT_|NODE_TEST_CONTEXT$|LARIK_(MODEL|MODE|HOME)$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
}

/**
 * Runs git in the project with none of the user's settings; resolves to what it prints.
 * @param {string} project
 * @param {string[]} args
 * @returns {Promise<string>}
 */
export async function git(project, args) {
  const env = { ...cleanEnvironment(), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
  return (await run('git', args, { cwd: project, env })).stdout;
}

/**
 * Writes files, named relative to the project.
 * @param {string} project
 * @param {Record<string, string>} files
 */
export async function writeFiles(project, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
}

/**
 * Makes the project and commits its files.
 * @param {string} project
 * @param {Record<string, string>} files
 */
export async function makeProject(project, files) {
  await mkdir(project, { recursive: true });
  await writeFiles(project, files);
  await git(project, ['init', '-q', '-b', 'main']);
  // Line ends stay as they are, whatever the user's git does to them.
  await git(project, ['config', 'core.autocrlf', 'false']);
  await git(project, ['add', '-A']);
  const author = ['-c', 'user.name=Fixture', '-c', 'user.email=fixture@example.invalid'];
  await git(project, [...author, 'commit', '-q', '-m', 'Start']);
}

/**
 * What git holds beside the working tree: the commit, the stashes, and what is staged.
 * @param {string} project
 */
export async function gitState(project) {
  const [head, stashes, staged] = await Promise.all([
    git(project, ['log', '-1', '--format=%H %D']),
    git(project, ['stash', 'list']),
    git(project, ['diff', '--cached']),
  ]);
  return { head, stashes, staged };
}

/**
 * Every file but git's own, by its name with `/`.
 * @param {string} project
 * @returns {Promise<Map<string, Buffer>>}
 */
export async function filesOf(project) {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(project, path).replaceAll('\\', '/') }))
    .filter(({ name }) => !name.startsWith('.git/'));
  return new Map(
    await Promise.all(
      paths.map(async ({ path, name }) => /** @type {const} */ ([name, await readFile(path)])),
    ),
  );
}
