import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../../ports/provider.ts';
import { adapters } from './providers.ts';
import { problemsIn } from './validators/validators.ts';
import { type Said, spoken } from './vendor-streams.ts';

/** A model of each protocol, at a vendor of its own. */
export const modelOf: Readonly<Record<string, { provider: string; model: string }>> = {
  anthropic: { provider: 'anthropic', model: 'claude-opus-5-5' },
  'openai-responses': { provider: 'openai', model: 'gpt-5.6-sol' },
  gemini: { provider: 'gemini', model: 'gemini-3-pro-preview' },
  ollama: { provider: 'ollama', model: 'qwen3:8b' },
  'openai-compat': { provider: 'deepseek', model: 'deepseek-chat' },
};

export interface Asked {
  protocol: string;
  url: string;
  body: string;
}

/**
 * The servers of all vendors in one: each reads a request as strictly as the wire formats say, answers
 * 400 with what is wrong, and gives its next answer otherwise. Reasoning that it did not send itself is wrong.
 */
export class StrictVendors {
  readonly asked: Asked[] = [];
  /** What was refused. */
  readonly problems: string[] = [];
  /** What each said of its own that it must get back as it was. */
  readonly own = new Map<string, string[]>();
  next: (protocol: string) => Said = () => ({ text: 'Done.' });
  #number = 0;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Forgets what was asked and said. */
  reset(): void {
    this.asked.length = 0;
    this.problems.length = 0;
    this.own.clear();
  }

  /** The adapter of a protocol, with this server as its vendor. */
  provider(protocol: string): Provider {
    const { port } = this.#server.address() as AddressInfo;
    return adapters[protocol]!(modelOf[protocol]!.provider, `http://127.0.0.1:${port}/${protocol}`);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = request.url ?? '';
    const protocol = /^\/([^/]+)/.exec(url)?.[1] ?? '';
    const body = Buffer.concat(chunks).toString('utf8');
    if (/\/api\/(show|ps)$/.test(url)) {
      response.writeHead(404).end('{}');
      return;
    }
    this.asked.push({ protocol, url, body });
    const own = this.own.get(protocol) ?? [];
    this.own.set(protocol, own);
    const problems = problemsIn(protocol, { url, body }, { isOwn: (payload) => own.includes(payload) });
    if (problems.length > 0) {
      this.problems.push(...problems.map((problem) => `${protocol}: ${problem}`));
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: problems.join('; ') } }));
      return;
    }
    this.#number += 1;
    const answer = spoken(protocol, this.next(protocol), this.#number);
    own.push(...answer.own);
    response.writeHead(200, { 'content-type': answer.type });
    response.end(answer.body);
  }
}
