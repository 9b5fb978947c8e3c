import { presets } from './openai-compatible/presets.ts';
import type { Environment } from './http/http-proxy.ts';

/** Gets the JSON at an address, or null if nothing useful answers in `timeoutMs`. */
export type Probe = (url: string, timeoutMs: number) => Promise<unknown>;

export interface ChooseOptions {
  env: Environment;
  probe?: Probe;
}

/** A way to a real model that is there already. */
export interface Connection {
  /** What was found: a variable's name, or a server's address. */
  found: string;
  /** The exact command line that uses it; null if this version cannot. */
  command: string | null;
  /** For the user, where something has to be said. */
  note: string | null;
}

const defaultAnthropicModel = 'anthropic/claude-opus-5-5';
const demoModel = 'demo/demo';

/** Milliseconds that a server on this machine may take to say that it is there. */
const probeMs = 300;

/** Servers on this machine that may run without being configured. */
const localServers = ['lmstudio', 'llamacpp', 'vllm'] as const;

/**
 * The model to use when nothing chose one (spec: providers, "Choosing"): the first vendor with a key in
 * the environment, else a model of a running LM Studio, else the offline demo.
 */
export async function chooseModel({ env, probe = probeHttp }: ChooseOptions): Promise<string> {
  if (env['ANTHROPIC_API_KEY']?.trim()) return defaultAnthropicModel;
  const [model] = await servedModels('lmstudio', probe);
  return model === undefined ? demoModel : `lmstudio/${model}`;
}

/** The keys and local servers that were found, with what to type for each. */
export async function findConnections({ env, probe = probeHttp }: ChooseOptions): Promise<Connection[]> {
  const served = await Promise.all(
    localServers.map(async (id) => ({ id, models: await servedModels(id, probe) })),
  );
  return [
    ...keyConnections(env),
    ...served
      .filter(({ models }) => models.length > 0)
      .map(({ id, models }): Connection => ({
        found: presets[id].baseUrl,
        command: commandFor(`${id}/${models[0]}`),
        note: models.length > 1 ? `It also offers ${models.slice(1, 5).join(', ')}.` : null,
      })),
  ];
}

function keyConnections(env: Environment): Connection[] {
  const isSet = (name: string) => Boolean(env[name]?.trim());
  const found: Connection[] = [];
  if (isSet('ANTHROPIC_API_KEY')) {
    found.push({ found: 'ANTHROPIC_API_KEY', command: commandFor(defaultAnthropicModel), note: null });
  }
  for (const [id, preset] of Object.entries(presets)) {
    for (const name of preset.keyVariables.filter(isSet)) {
      found.push({
        found: name,
        command: commandFor(`${id}/MODEL`),
        note: 'Put the name of a model for MODEL.',
      });
    }
  }
  for (const [name, vendor] of notYet) {
    if (!isSet(name)) continue;
    const note =
      `This version does not speak the ${vendor} API. Where the vendor offers a Chat Completions address, it can ` +
      `be configured under "providers" with the type "openai-compatible".`;
    found.push({ found: name, command: null, note });
  }
  return found;
}

const notYet: readonly (readonly [string, string])[] = [
  ['OPENAI_API_KEY', 'OpenAI'],
  ['GEMINI_API_KEY', 'Gemini'],
  ['GOOGLE_API_KEY', 'Gemini'],
];

function commandFor(model: string): string {
  return `larik --model ${model} -p "…"`;
}

/** Ids of the models that a server offers for conversation; none if it does not run. */
async function servedModels(id: (typeof localServers)[number], probe: Probe): Promise<string[]> {
  const answer = await probe(`${presets[id].baseUrl}/models`, probeMs);
  const data = typeof answer === 'object' && answer !== null ? (answer as { data?: unknown }).data : null;
  if (!Array.isArray(data)) return [];
  return data
    .map((each: unknown) =>
      typeof each === 'object' && each !== null ? (each as { id?: unknown }).id : null,
    )
    .filter(
      (name): name is string =>
        typeof name === 'string' && /^[\w./:@+-]+$/.test(name) && !/embed/i.test(name),
    );
}

/** Bytes of an answer that are read. */
const probeBytes = 1024 * 1024;

async function probeHttp(url: string, timeoutMs: number): Promise<unknown> {
  const { get } = await import('node:http');
  return new Promise((resolve) => {
    const give = (value: unknown) => {
      clearTimeout(timer);
      request.destroy();
      resolve(value);
    };
    const request = get(url, { agent: false, headers: { accept: 'application/json' } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > probeBytes) give(null);
      });
      response.on('error', () => give(null));
      response.on('end', () => give(response.statusCode === 200 ? parsed(body) : null));
    });
    const timer = setTimeout(() => give(null), timeoutMs);
    request.on('error', () => give(null));
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}
