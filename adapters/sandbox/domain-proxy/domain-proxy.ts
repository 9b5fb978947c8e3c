import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { oneLine } from '../../../domain/text/one-line.ts';
import { targetOf, type Target, type TargetOptions } from './targets.ts';

/** Connections that one command may hold at a time. */
const mostConnections = 256;
/** Hosts of which a refusal is remembered. */
const mostRefused = 20;
/** Milliseconds that a connection may take to come about. */
const longestConnect = 30_000;

/** What concerns one connection alone, and is not passed on. */
const hopByHop = new Set(
  'connection proxy-connection proxy-authorization keep-alive te trailer upgrade expect http2-settings'.split(
    ' ',
  ),
);

/**
 * The way of one command's programs to the hosts that the settings allow (spec: sandbox,
 * `allowed_domains`): a proxy for HTTP, with a tunnel for HTTPS, on a Unix socket.
 */
export class DomainProxy {
  readonly #options: TargetOptions;
  readonly #server: Server;
  readonly #refused = new Set<string>();
  readonly #open = new Set<Duplex>();

  constructor(options: TargetOptions) {
    this.#options = options;
    this.#server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 });
    this.#server.maxConnections = mostConnections;
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('request', (request, response) =>
      this.#pass(request, response).catch(() => response.destroy()),
    );
    this.#server.on('connect', (request, socket, head) =>
      this.#tunnel(request, socket, head).catch(() => socket.destroy()),
    );
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  /** Hosts that were asked for and refused, in order; a port other than those of the web stands behind. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Begins to listen; `path` does not exist yet. */
  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
    // A command that is waited for keeps larik running by itself.
    this.#server.unref();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy()); // Either end may go at any time.
    socket.once('close', () => this.#open.delete(socket));
  }

  async #target(host: string, port: number): Promise<Target> {
    const target = await targetOf(host, port, this.#options);
    if ('refused' in target && this.#refused.size < mostRefused) {
      this.#refused.add(oneLine(target.refused).slice(0, 260));
    }
    return target;
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const asked = request.url ?? '';
    const [, host = asked, port = '0'] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(asked) ?? [];
    const target = await this.#target(host, Number(port));
    if (client.destroyed) return;
    if (!('lookup' in target)) {
      const { status, text } = refusal(target);
      const length = Buffer.byteLength(text);
      client.end(
        `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\ncontent-type: text/plain\r\n` +
          `content-length: ${length}\r\nconnection: close\r\n\r\n${text}`,
      );
      return;
    }
    const server = connect({ ...target, autoSelectFamily: true, timeout: longestConnect });
    this.#keep(server);
    server.once('timeout', () => server.destroy());
    let isConnected = false;
    server.once('connect', () => {
      isConnected = true;
      server.setTimeout(0);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) server.write(head);
      server.pipe(client);
      client.pipe(server);
    });
    server.once('close', () => {
      client.end(isConnected ? undefined : badGateway);
    });
    client.once('close', () => server.destroy());
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
    if (url === null || url.protocol !== 'http:') {
      response
        .writeHead(400, plain)
        .end('larik: this is a proxy for http:// and, by CONNECT, for https://.\n');
      return;
    }
    const target = await this.#target(url.hostname, Number(url.port || 80));
    if (response.destroyed) return;
    if (!('lookup' in target)) {
      const { status, text } = refusal(target);
      response.writeHead(status, plain).end(text);
      return;
    }
    const outgoing = http.request({
      ...target,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      // The name that was decided about, whatever the program calls the host.
      headers: { ...passedOn(request.headers), host: url.host },
      agent: false,
      timeout: longestConnect,
    });
    outgoing.once('socket', (socket: Socket) => {
      this.#keep(socket);
      socket.once('connect', () => socket.setTimeout(0));
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      answer.once('error', () => response.destroy());
      try {
        response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
        answer.pipe(response);
      } catch {
        response.destroy(); // A status or header that cannot be passed on.
      }
    });
    outgoing.once('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, plain).end(`larik: ${target.host} could not be reached.\n`);
    });
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }
}

const plain = { 'content-type': 'text/plain' };
const badGateway = 'HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n';

function refusal(target: Exclude<Target, { lookup: unknown }>): { status: number; text: string } {
  if ('unknown' in target) {
    return { status: 502, text: `larik: the name ${target.unknown} could not be looked up.\n` };
  }
  const host = oneLine(target.refused).slice(0, 260);
  const settings = '`sandbox.allowed_domains` in the settings names the hosts that commands reach.';
  return { status: 403, text: `larik: the sandbox refused ${host}: ${target.why}. ${settings}\n` };
}

/** Headers without those of one connection. */
function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.includes(name)),
  );
}
