import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that answers each path with JSON, or not at all. */
export class JsonServer {
  /** What was asked since `serve`: the path, and the body where there was one. */
  asked: string[] = [];
  hangs = false;
  down = false;
  #answers: Record<string, unknown> = {};
  #watchers: (() => void)[] = [];
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on each of these paths gives its JSON, and any other 404. A function gets the body. */
  serve(answers: Record<string, unknown>): void {
    this.#answers = answers;
    this.asked = [];
    this.hangs = false;
    this.down = false;
  }

  async whenAsked(times: number): Promise<void> {
    while (this.asked.length < times) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    this.asked.push(body === '' ? path : `${path} ${body}`);
    for (const watcher of this.#watchers.splice(0)) watcher();
    if (this.down) response.destroy();
    if (this.hangs || this.down) return;
    const known = Object.hasOwn(this.#answers, path);
    const found = this.#answers[path];
    const given: unknown = typeof found === 'function' ? (found as (body: string) => unknown)(body) : found;
    const isJson = typeof given !== 'string';
    const type = isJson ? 'application/json' : given.startsWith('<') ? 'text/html' : 'application/x-ndjson';
    response.writeHead(known ? 200 : 404, { 'content-type': type });
    response.end(isJson ? JSON.stringify(known ? given : { error: 'not found' }) : given);
  }
}
