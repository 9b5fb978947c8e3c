// What a run needs of the user's own settings: how models are reached, and nothing else.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse as parseJson } from 'jsonc-parser';
import { UsageProblem } from './usage-problem.mjs';

async function personalFile(program, cwd) {
  const args = [program, 'config', 'path', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd }).catch((error) => {
    throw new UsageProblem(error.stderr?.trim() || error.message);
  });
  return JSON.parse(stdout).find((file) => file.layer === 'personal' && file.exists)?.path;
}

async function parse(path, text) {
  if (/\.ya?ml$/.test(path)) return (await import('yaml')).parse(text);
  const errors = [];
  const value = parseJson(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error(`not JSON at character ${errors[0].offset}`);
  return value;
}

/**
 * The sections `providers` and `models` of the user's settings; empty where there are none.
 * Throws `UsageProblem` where they cannot be read.
 * @param {string} program the built larik
 * @param {string} cwd a folder outside any project
 * @returns {Promise<Record<string, unknown>>}
 */
export async function readModelSettings(program, cwd) {
  const path = await personalFile(program, cwd);
  if (path === undefined) return {};
  let settings;
  try {
    settings = await parse(path, await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageProblem(`${path}: ${error.message}`);
  }
  if (typeof settings !== 'object' || settings === null) return {};
  const sections = ['providers', 'models'].filter((name) => name in settings);
  return Object.fromEntries(sections.map((name) => [name, settings[name]]));
}

/**
 * Writes settings for a run, readable by the user alone, as they may hold keys.
 * @param {string} home the run's LARIK_HOME
 * @param {Record<string, unknown>} settings
 */
export async function writeModelSettings(home, settings) {
  await mkdir(join(home, 'config'), { recursive: true });
  await writeFile(join(home, 'config', 'config.json'), JSON.stringify(settings), { mode: 0o600 });
}
