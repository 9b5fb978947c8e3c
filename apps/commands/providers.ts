import { withStallGuard } from '../../adapters/providers/decorators/stall-guard.ts';
import { endpointOf } from '../../adapters/providers/endpoints.ts';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { ModelNames } from '../../adapters/providers/model-names.ts';
import { providerStates } from '../../adapters/providers/overview.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { systemIds } from '../../adapters/system/system-ids.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { Models } from '../../ports/models.ts';
import type { Provider } from '../../ports/provider.ts';
import { UsageError } from '../command-line/parse.ts';
import { processScope } from '../compose.ts';
import type { Folder } from '../folder/folder.ts';
import type { CommandOutput } from './command-output.ts';

export interface ProvidersArguments {
  action: string | undefined;
  operands: readonly string[];
  model: string | undefined;
  json: boolean;
}

/** Built in: there is no server to test. */
const needsNoServer = ['demo', 'script'];

/** Throws for a name that is none, with the nearest ones. */
function checkName(name: string, { settings }: Folder): void {
  const names = new ModelNames(settings, needsNoServer);
  names.read(`${name}/MODEL`);
  if (needsNoServer.includes(name) && !Object.hasOwn(settings.providers, name))
    throw new UsageError(`${name} is built in and asks no server, so there is nothing to test`);
}

/** A provider as the settings have it, which does not try again: what goes wrong is what is looked for. */
export function bareProvider(name: string, folder: Folder): Provider {
  checkName(name, folder);
  const { settings, secrets } = folder;
  const { env } = process;
  const { providers, models } = settings;
  const endpoint = endpointOf(name, Object.hasOwn(providers, name) ? (providers[name] ?? null) : null, {
    env,
    secrets,
    fetch: createHttpFetch({ env }),
    clock: systemClock,
    ids: systemIds,
    modelConfig: (provider, model) => {
      const ref = `${provider}/${model}`;
      return Object.hasOwn(models, ref) ? models[ref] : undefined;
    },
  });
  const provider = endpoint.make();
  const guarded = withStallGuard(provider, { clock: systemClock, timeoutMs: endpoint.stallMs });
  const { listModels } = provider;
  return { ...guarded, ...(listModels && { listModels: (signal) => listModels.call(provider, signal) }) };
}

/** `larik providers [test NAME]` (spec: cli). Returns the exit code. */
export async function providersCommand(
  { action, operands, model, json }: ProvidersArguments,
  folder: Folder,
  io: CommandOutput,
): Promise<number> {
  if (action === undefined) {
    const { listProviders } = await import('./providers/list.ts');
    return listProviders(await providerStates({ settings: folder.settings, env: process.env }), json, io);
  }
  if (action !== 'test') {
    throw new UsageError(
      `unknown action ${oneLine(action)}; larik providers alone lists them, and takes: test NAME`,
    );
  }
  const { providersTest } = await import('./providers/test.ts');
  const ports = {
    models: processScope(folder).resolve<Models>(Models),
    provider: (name: string) => bareProvider(name, folder),
    cacheKey: `test-${systemIds.hex(16)}`,
  };
  return providersTest({ operands, model, json }, ports, io, new AbortController().signal);
}
