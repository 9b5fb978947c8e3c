import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseModel, findConnections } from '../../../adapters/providers/choose.ts';
import { settingsFiles } from '../../../adapters/settings/load.ts';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import { errorText } from '../../../ports/errors.ts';
import { Models } from '../../../ports/models.ts';
import { Sandbox } from '../../../ports/sandbox.ts';
import { processScope, sessionStore } from '../../compose.ts';
import type { Folder } from '../../folder/folder.ts';
import { check, type Check } from './check.ts';
import { lookAtKeyFiles, lookAtLocks, lookAtPlace, lookAtProgram } from './facts.ts';
import { judgeKeys, judgeModel, judgeProxies, judgeServers, type ModelFacts } from './model-checks.ts';
import { judgeKeyFiles, judgePlace, judgeSessions, judgeSettings } from './place-checks.ts';
import { judgeBash, judgeGit, judgeNode, judgeRipgrep, judgeSandbox } from './program-checks.ts';
import { judgeTerminal, type TerminalFacts } from './terminal-checks.ts';

/** What a run would take now, in the order in which it looks (spec: providers, "Choosing"). */
async function modelFacts(folder: Folder, models: () => Models): Promise<ModelFacts> {
  const { env } = process;
  const fromVariable = env['LARIK_MODEL']?.trim() ?? '';
  const set = folder.settings.model;
  const { ref, because } =
    set === null
      ? await chooseModel({ env })
      : { ref: set, because: fromVariable === set.trim() ? 'LARIK_MODEL' : 'the settings' };
  try {
    return { ref, from: because, problem: null, resolved: models().resolve(ref).info.ref };
  } catch (error) {
    return { ref, from: because, problem: errorText(error), resolved: null };
  }
}

function terminalFacts(): TerminalFacts {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  const isTerminal = stream.isTTY === true;
  const { platform, env } = process;
  if (!isTerminal) return { platform, env, isTerminal, columns: null, rows: null, colourBits: null };
  return {
    platform,
    env,
    isTerminal,
    columns: stream.columns,
    rows: stream.rows,
    colourBits: stream.getColorDepth(),
  };
}

/** Only what the environment says is asked for. */
const noProbe = (): Promise<null> => Promise.resolve(null);

/** Everything that `larik doctor` looks at, of this machine and a folder. Sends nothing to a provider. */
export function installationChecks(folder: Folder): Check[] {
  const { places, settings, projectId } = folder;
  const { env } = process;
  const scope = processScope(folder);
  const programs = new LocalProcesses({
    outputFolder: join(places.data, 'output', 'doctor'),
    project: folder.project,
  });
  const files = settingsFiles(folder);
  const named = [...files.personal, files.project, files.shared];
  return [
    check('node', () => process.versions.node, judgeNode),
    check('git', () => lookAtProgram(programs, 'git'), judgeGit),
    check('ripgrep', () => lookAtProgram(programs, 'rg'), judgeRipgrep),
    check('bash', () => lookAtProgram(programs, 'bash'), judgeBash),
    check('sandbox', () => scope.resolve<Sandbox>(Sandbox).describe(), judgeSandbox),
    check(
      'settings',
      () => existing(named),
      (found) => judgeSettings(found, settings.problems),
    ),
    check(
      'keys',
      async () => ({
        env,
        providers: settings.providers,
        variables: await findConnections({ env, probe: noProbe }),
      }),
      judgeKeys,
    ),
    check('keys', () => lookAtKeyFiles([...files.personal, files.project]), judgeKeyFiles),
    check('model', () => modelFacts(folder, () => scope.resolve<Models>(Models)), judgeModel),
    check('local', () => findConnections({ env: { OLLAMA_HOST: env['OLLAMA_HOST'] } }), judgeServers),
    check('config', () => lookAtPlace('config', places.config), judgePlace),
    check('data', () => lookAtPlace('data', places.data), judgePlace),
    check('cache', () => lookAtPlace('cache', places.cache), judgePlace),
    check(
      'sessions',
      async () => ({
        count: (await sessionStore(folder).list()).length,
        held: await lookAtLocks(join(places.data, 'sessions', projectId)),
      }),
      ({ count, held }) => judgeSessions(count, held),
    ),
    check('terminal', terminalFacts, judgeTerminal),
    check('proxy', () => env, judgeProxies),
  ];
}

async function existing(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    files.map((file) =>
      stat(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_, at) => found[at]);
}
