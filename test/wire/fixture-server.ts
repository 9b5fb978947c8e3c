import http from 'node:http';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ProviderDelta, ProviderDone } from '../../ports/provider.ts';

export const wireFolder = path.resolve(import.meta.dirname, '../fixtures/wire');

export interface Expectation {
  requestModel: string;
  provider?: string;
  deltas: ProviderDelta[];
  message?: ProviderDone['message'];
  usage?: ProviderDone['usage'];
  stopReason?: ProviderDone['stopReason'];
  error?: { kind: string; retryable: boolean; retryAfterMs?: number; status?: number };
}

export interface Fixture {
  name: string;
  body: Buffer;
  splits: number[];
  status: number;
  headers: Record<string, string>;
  reset: boolean;
  expect: Expectation;
}

const contentTypes: Record<string, string> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

function readJson<T>(file: string, otherwise: T): T {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : otherwise;
}

/** The response fixtures of one protocol. */
export function fixturesOf(protocol: string): Fixture[] {
  const folder = path.join(wireFolder, protocol);
  const names = fs.readdirSync(folder).filter((file) => file.endsWith('.expect.json'));
  return names.map((file) => {
    const base = path.join(folder, file.slice(0, -'.expect.json'.length));
    const type = ['sse', 'ndjson', 'json'].find((each) => fs.existsSync(`${base}.${each}`))!;
    const head = readJson<{ status?: number; headers?: Record<string, string>; end?: string }>(
      `${base}.http.json`,
      {},
    );
    return {
      name: path.basename(base),
      body: fs.readFileSync(`${base}.${type}`),
      splits: readJson<{ splits: number[] }>(`${base}.chunks.json`, { splits: [] }).splits,
      status: head.status ?? 200,
      headers: { 'content-type': contentTypes[type]!, ...head.headers },
      reset: head.end === 'reset',
      expect: readJson<Expectation | null>(file === '' ? '' : `${base}.expect.json`, null)!,
    };
  });
}

/** The ways in which a body is cut: whole, as the fixture says, and in small pieces. */
export function cutsOf(fixture: Fixture): { label: string; splits: number[] }[] {
  const size = fixture.body.length;
  const step = Math.max(7, Math.ceil(size / 1500));
  const tiny: number[] = [];
  for (let at = step; at < size; at += step) tiny.push(at);
  return [
    { label: 'whole', splits: [] },
    ...(fixture.splits.length > 0 ? [{ label: 'cut as given', splits: fixture.splits }] : []),
    ...(fixture.status === 200 ? [{ label: 'in small pieces', splits: tiny }] : []),
  ];
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  splits: number[];
  reset: boolean;
  /** Never ends. */
  hangs?: boolean;
}

export interface Recorded {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A server on this machine that gives the answer it was told to, and records what it was sent. */
export class FixtureServer {
  readonly requests: Recorded[] = [];
  answer: Answer = { status: 200, headers: {}, body: Buffer.alloc(0), splits: [], reset: false };
  #queue: Answer[] = [];
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Gives these answers one after the other, the last one for ever; returns what is asked from here on. */
  answers(answers: Answer[]): () => Recorded[] {
    const from = this.requests.length;
    this.#queue = [...answers];
    return () => this.requests.slice(from);
  }

  /** As a proxy: what is done about a tunnel that is asked for. */
  onConnect(react: (request: http.IncomingMessage, socket: NodeJS.WritableStream) => void): void {
    this.#server.removeAllListeners('connect').on('connect', react);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    this.answer = this.#queue.shift() ?? this.answer;
    const { answer } = this;
    response.socket?.setNoDelay(true);
    response.writeHead(answer.status, answer.headers);
    let from = 0;
    for (const to of [...answer.splits, answer.body.length]) {
      const written = new Promise<void>((resolve) =>
        response.write(answer.body.subarray(from, to), () => resolve()),
      );
      from = to;
      await written;
    }
    if (answer.hangs) return;
    if (answer.reset) response.destroy();
    else response.end();
  }
}
