import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { loadSettings } from '../../adapters/settings/load.ts';
import { placesOf, projectId, type Places } from '../../adapters/settings/places.ts';
import { findProject } from '../../adapters/settings/project-root.ts';
import type { EnvironmentFacts } from '../../domain/prompt/environment.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { LoadedSettings } from '../../ports/settings.ts';
import { knownSecrets } from './known-secrets.ts';
import { definitionNotices } from './definitions.ts';
import { ruleProblems } from './rule-problems.ts';
import { UsageError, type ParsedLine } from '../command-line/parse.ts';

/** Where a command works, and what is set there. */
export interface Folder {
  cwd: string;
  project: string;
  projectId: string;
  /** The project if it is a git repository, else null. */
  gitRoot: string | null;
  home: string;
  places: Places;
  settings: LoadedSettings;
  /** What must not appear in any text, nor in the environment of programs. */
  secrets: Secrets;
  /** What a start tells of definitions that no approval covers. */
  unapproved: readonly string[];
}

/** What a context is told of a folder; the day is added when it begins. */
export function environmentOf(folder: Folder, interactive: boolean): Omit<EnvironmentFacts, 'date'> {
  const platform = `${process.platform} ${process.arch}`;
  return { cwd: folder.cwd, project: folder.gitRoot, platform, shell: 'bash', interactive };
}

const vanished = 'the working directory no longer exists; change to another folder, or use --cwd';

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError(vanished);
  }
}

async function workingFolder(named: string | null): Promise<string> {
  if (named === '') throw new UsageError('--cwd: expected a folder, got ""');
  const path = named === null ? currentFolder() : resolve(named);
  const found = await stat(path).catch(() => null);
  // Node may still name a folder that is gone.
  if (found === null && named === null) throw new UsageError(vanished);
  if (found === null) throw new UsageError(`--cwd: there is no folder ${oneLine(path)}`);
  if (!found.isDirectory()) throw new UsageError(`--cwd: ${oneLine(path)} is not a folder`);
  return realpath(path);
}

/** A relative one would have the user's own settings read from whatever folder larik starts in. */
function checkHome(named = ''): void {
  if (named === '' || isAbsolute(named)) return;
  throw new UsageError(
    `LARIK_HOME: expected the path of a folder from /, got "${oneLine(named)}"; a relative one would take settings from any project`,
  );
}

/** Finds the project and its settings (spec: settings-and-trust). Throws `UsageError`. */
export async function openFolder(flags: ParsedLine['flags']): Promise<Folder> {
  checkHome(process.env['LARIK_HOME']);
  const cwd = await workingFolder(typeof flags['cwd'] === 'string' ? flags['cwd'] : null);
  const home = homedir();
  const places = placesOf({ platform: process.platform, env: process.env, home });
  const project = await findProject(cwd);
  const [settings, unapproved] = await Promise.all([
    loadSettings({ project, places, env: process.env, flags }),
    definitionNotices({ project, home, places }),
  ]);
  return {
    cwd,
    project,
    projectId: projectId(project),
    gitRoot: (await lstat(join(project, '.git')).catch(() => null)) === null ? null : project,
    home,
    places,
    secrets: knownSecrets(settings.providers, process.env),
    settings: { ...settings, problems: [...settings.problems, ...(await ruleProblems(settings.rules))] },
    unapproved,
  };
}
