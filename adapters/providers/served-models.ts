import { routeOf } from './endpoints.ts';
import type { Environment } from './http/http-proxy.ts';

/** Gets the JSON at an address, or null if nothing useful answers in `timeoutMs`. */
export type Probe = (url: string, timeoutMs: number) => Promise<unknown>;

/** Milliseconds that a server on this machine may take to say that it is there. */
const probeMs = 300;

/** Servers on this machine that may run without being configured, in the order in which they are taken. */
export const localServers = ['ollama', 'lmstudio', 'llamacpp', 'vllm'] as const;

/** The address of a server of `localServers`, which need not run. */
export function localAddress(id: (typeof localServers)[number], env: Environment): string {
  return routeOf(id, null, env).baseUrl;
}

/** Ids of the models that a server offers for conversation; null if it does not run. */
export async function servedModels(
  baseUrl: string,
  isOllama: boolean,
  probe: Probe = probeHttp,
): Promise<string[] | null> {
  // Ollama answers like the others under /v1 as well.
  const answer = await probe(`${baseUrl}${isOllama ? '/v1' : ''}/models`, probeMs);
  if (typeof answer !== 'object' || answer === null) return null;
  const { data } = answer as { data?: unknown };
  // Ollama without any model says null.
  if (!Array.isArray(data)) return data === null ? [] : null;
  return data
    .map((each: unknown) =>
      typeof each === 'object' && each !== null ? (each as { id?: unknown }).id : null,
    )
    .filter(
      (name): name is string =>
        typeof name === 'string' && /^[\w./:@+-]{1,200}$/.test(name) && !/embed/i.test(name),
    );
}

/** Bytes of an answer that are read. */
const probeBytes = 1024 * 1024;

async function probeHttp(url: string, timeoutMs: number): Promise<unknown> {
  if (!url.startsWith('http:')) return null;
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
