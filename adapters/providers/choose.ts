import { defaultModels } from './catalog/defaults.ts';
import { routeOf } from './endpoints.ts';
import type { Environment } from './http/http-proxy.ts';
import { keyOrigin } from './keys.ts';
import { localAddress, localServers, type Probe, servedModels } from './served-models.ts';

export interface ChooseOptions {
  env: Environment;
  probe?: Probe;
}

/** A way to a real model that is there already. */
export interface Connection {
  /** What was found: a variable's name, or a server's address. */
  found: string;
  /** The exact command line that uses it. */
  command: string;
  /** For the user, where something has to be said. */
  note: string | null;
}

/** A model that nobody named, and what it was taken for. */
export interface Choice {
  ref: string;
  because: string;
}

/** Servers on this machine that are taken without being named: a model that runs there is meant to be used. */
const taken = ['ollama', 'lmstudio'] as const;

/**
 * The model to use when nothing chose one (spec: providers, "Choosing"): the default of the first vendor with
 * a key in the environment, else a model of a running Ollama or LM Studio, else the offline demo.
 */
export async function chooseModel({ env, probe }: ChooseOptions): Promise<Choice> {
  const [key] = keysFound(env);
  if (key !== undefined) return { ref: key.ref, because: `${key.variable} is set` };
  for (const id of taken) {
    const [model] = (await servedModels(localAddress(id, env), id === 'ollama', probe)) ?? [];
    if (model !== undefined) return { ref: `${id}/${model}`, because: 'it runs on this machine' };
  }
  return { ref: 'demo/demo', because: 'nothing else was found' };
}

/** The keys and local servers that were found, with what to type for each. */
export async function findConnections({ env, probe }: ChooseOptions): Promise<Connection[]> {
  const served = await Promise.all(
    localServers.map(async (id) => {
      const address = localAddress(id, env);
      return { id, address, models: (await servedModels(address, id === 'ollama', probe)) ?? [] };
    }),
  );
  return [
    ...keysFound(env).map(({ variable, ref }) => ({ found: variable, command: commandFor(ref), note: null })),
    ...served
      .filter(({ models }) => models.length > 0)
      .map(({ id, address, models }): Connection => ({
        found: address,
        command: commandFor(`${id}/${models[0]}`),
        note: models.length > 1 ? `It also offers ${models.slice(1, 5).join(', ')}.` : null,
      })),
  ];
}

/** The vendors' variables that hold a key, each with the vendor's default model, in the order in which they count. */
function keysFound(env: Environment): { variable: string; ref: string }[] {
  return defaultModels.flatMap(({ provider, model }) => {
    const variable = keyOrigin({ ...routeOf(provider, null, env).keys, config: null, env });
    return variable === null ? [] : [{ variable, ref: `${provider}/${model}` }];
  });
}

function commandFor(model: string): string {
  return `larik --model ${model} -p "…"`;
}
