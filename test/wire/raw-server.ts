import net, { type AddressInfo, type Socket } from 'node:net';

/** What a server does with a request of which it has read everything; it writes HTTP by hand. */
export type Reaction = (socket: Socket, request: string) => void | Promise<void>;

/** A server on this machine that may break every rule of HTTP. */
export class RawServer {
  /** Each request as it came, head and body. */
  readonly requests: string[] = [];
  reaction: Reaction = (socket) => void socket.destroy();
  readonly #sockets = new Set<Socket>();
  readonly #server = net.createServer((socket) => this.#serve(socket));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many connections are open. */
  get open(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    let text = '';
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (;;) {
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
        if (head === -1 || text.length < head + 4 + length) return;
        const request = text.slice(0, head + 4 + length);
        text = text.slice(request.length);
        this.requests.push(request);
        void this.reaction(socket, request);
      }
    });
  }
}

/** The head of an answer; the connection closes after it unless told otherwise. */
export function head(status: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

/** One piece of a chunked body. */
export function chunk(bytes: Uint8Array | string): Buffer {
  const body = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

export const lastChunk = '0\r\n\r\n';
