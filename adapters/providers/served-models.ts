import { routeOf } from './endpoints.ts';
import type { Environment } from './http/http-proxy.ts';
import { ollamaModels } from './ollama/served.ts';
import { list, record, text } from './wire/json.ts';

/** Gets the JSON at an address; null: nothing answers in `timeoutMs`; undefined: something else answers. A body is sent as JSON. */
export type Probe = (url: string, timeoutMs: number, body?: unknown) => Promise<unknown>;

/** Milliseconds that a server on this machine may take to say that it is there. */
const probeMs = 300;

/** Servers on this machine that may run without being configured, in the order in which they are taken. */
export const localServers = ['ollama', 'lmstudio', 'llamacpp', 'vllm'] as const;

/** The address of a server of `localServers`, which need not run. */
export function localAddress(id: (typeof localServers)[number], env: Environment): string {
  return routeOf(id, null, env).baseUrl;
}

/** Ids of the models that a server offers for conversation, the best of them first; null if it does not run. */
export async function servedModels(
  baseUrl: string,
  isOllama: boolean,
  probe: Probe = probeHttp,
): Promise<string[] | null> {
  if (isOllama) return await ollamaModels((path, body) => probe(`${baseUrl}${path}`, probeMs, body));
  const [answer, studio] = await Promise.all([
    probe(`${baseUrl}/models`, probeMs),
    probe(`${baseUrl.replace(/\/v1$/, '')}/api/v0/models`, probeMs),
  ]);
  const { data } = record(answer);
  if (!Array.isArray(data)) return null;
  const names = data
    .map((each) => text(record(each)['id']))
    .filter((name) => /^[\w./:@+-]{1,200}$/.test(name) && !/embed/i.test(name));
  // LM Studio lists what it could load, and tells at another address what is loaded.
  const rows = list(record(studio)['data']).map(record);
  const loaded = new Set(rows.filter((row) => row['state'] === 'loaded').map((row) => row['id']));
  return names.toSorted((a, b) => Number(loaded.has(b)) - Number(loaded.has(a)));
}

/** Milliseconds that it may take where somebody wants to know how things stand, and no run waits. */
const lookMs = 1500;

/** The same, with more patience; `no list`: something answers, which wants a key for it, or is no model server. */
export async function serverAt(
  baseUrl: string,
  isOllama: boolean,
  probe: Probe = probeHttp,
): Promise<string[] | 'no list' | null> {
  let answers = false;
  const models = await servedModels(baseUrl, isOllama, async (url, _, body) => {
    const answer = await probe(url, lookMs, body);
    answers ||= answer !== null;
    return answer;
  });
  return models ?? (answers ? 'no list' : null);
}

/** Bytes of an answer that are read. */
const probeBytes = 1024 * 1024;

async function probeHttp(url: string, timeoutMs: number, body?: unknown): Promise<unknown> {
  if (!url.startsWith('http:')) return null;
  const { request: open } = await import('node:http');
  const sent = body === undefined ? null : JSON.stringify(body);
  return new Promise((resolve) => {
    const give = (value: unknown) => {
      clearTimeout(timer);
      request.destroy();
      resolve(value);
    };
    const headers = { accept: 'application/json', ...(sent && { 'content-type': 'application/json' }) };
    const options = { agent: false, method: sent === null ? 'GET' : 'POST', headers };
    const request = open(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > probeBytes) give(undefined);
      });
      response.on('error', () => give(null));
      response.on('end', () => give(response.statusCode === 200 ? parsed(text) : undefined));
    });
    const timer = setTimeout(() => give(null), timeoutMs);
    request.on('error', () => give(null));
    request.end(sent ?? undefined);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
