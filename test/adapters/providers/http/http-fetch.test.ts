import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpFetch, type HttpExchange } from '../../../../adapters/providers/http/http-fetch.ts';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const servers: http.Server[] = [];

async function serve(handler: Handler): Promise<string> {
  const server = http.createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

describe('http fetch', () => {
  it('sends the method, headers and body, and asks for plain bytes', async () => {
    const url = await serve(async (request, response) => {
      const { method, url: path, headers } = request;
      const { 'x-a': a, 'accept-encoding': encoding, 'content-length': length } = headers;
      response.end(JSON.stringify({ method, path, a, encoding, length, body: await bodyOf(request) }));
    });
    const response = await createHttpFetch({ env: {} })(`${url}/v1/x?y=1`, {
      method: 'POST',
      headers: { 'X-A': '1' },
      body: 'ü',
    });
    expect([response.status, response.ok, await response.json()]).toEqual([
      200,
      true,
      { method: 'POST', path: '/v1/x?y=1', a: '1', encoding: 'identity', length: '2', body: 'ü' },
    ]);
  });

  it('keeps its connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const fetch = createHttpFetch({ env: {} });
    for (let i = 0; i < 3; i += 1) await (await fetch(url)).text();
    expect(ports.size).toBe(1);
  });

  it('sends again over a new connection when the kept one was closed meanwhile', async () => {
    let count = 0;
    const url = await serve((request, response) => {
      count += 1;
      // The second request meets a connection that is gone.
      if (count === 2) request.socket.destroy();
      else response.end(`answer ${count}`);
    });
    const fetch = createHttpFetch({ env: {} });
    expect(await (await fetch(url)).text()).toBe('answer 1');
    expect(await (await fetch(url, { method: 'POST', body: 'x' })).text()).toBe('answer 3');
  });

  it('keeps the body of an error for its caller and for the SDK', async () => {
    const url = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'retry-after': '3' });
      response.end('{"message":"flat"}');
    });
    const exchange: HttpExchange = {};
    const response = await createHttpFetch({ env: {} })(url, { exchange });
    expect([response.ok, await response.text()]).toEqual([false, '{"message":"flat"}']);
    expect([
      exchange.failure?.status,
      exchange.failure?.headers.get('Retry-After'),
      exchange.failure?.body,
    ]).toEqual([400, '3', '{"message":"flat"}']);
  });

  it('does not follow a redirect, which would take the key along', async () => {
    const url = await serve((_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' });
      response.end();
    });
    expect((await createHttpFetch({ env: {} })(url)).status).toBe(307);
  });

  it('tells of each piece that arrives', async () => {
    const url = await serve((_, response) => {
      response.write(': keep-alive\n\n', () => response.end('data: x\n\n'));
    });
    let signs = 0;
    const wire: string[] = [];
    const exchange: HttpExchange = {
      watch: {
        onActivity: () => {
          signs += 1;
        },
        onWire: (event) => wire.push(event.kind),
      },
    };
    await (await createHttpFetch({ env: {} })(url, { exchange })).text();
    expect(signs).toBeGreaterThanOrEqual(2);
    expect(wire.filter((kind, at) => kind !== wire[at - 1])).toEqual(['request', 'response', 'chunk', 'end']);
  });

  it('stops waiting for an answer when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const url = await serve(() => controller.abort(reason));
    await expect(createHttpFetch({ env: {} })(url, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('stops even before the request has gone out', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const url = await serve(() => undefined);
    const sent = createHttpFetch({ env: {} })(url, { signal: controller.signal });
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  it('stops reading when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const url = await serve((_, response) => void response.write('a'));
    const response = await createHttpFetch({ env: {} })(url, { signal: controller.signal });
    const chunks = response.body[Symbol.asyncIterator]();
    await chunks.next();
    controller.abort(reason);
    await expect(chunks.next()).rejects.toBe(reason);
  });

  it('gives up on a text that never ends', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const url = await serve((_, response) => {
      const more = (): void => {
        for (let i = 0; i < 100 && !response.destroyed; i += 1) if (!response.write(chunk)) break;
        if (sent < 200) response.once('drain', more);
        else response.end();
        sent += 1;
      };
      let sent = 0;
      more();
    });
    const response = await createHttpFetch({ env: {} })(url);
    await expect(response.text()).rejects.toThrow('too large');
  });

  it('fails when the connection breaks off in the middle', async () => {
    const url = await serve((_, response) => {
      response.write('half', () => response.destroy());
    });
    const response = await createHttpFetch({ env: {} })(url);
    await expect(response.text()).rejects.toThrow();
  });

  it('refuses a header that would break out, without repeating it', async () => {
    const sent = createHttpFetch({ env: {} })('http://127.0.0.1:1', {
      headers: { 'x-api-key': 'sk-1\nevil: 1' },
    });
    await expect(sent).rejects.toThrow('The value of the header x-api-key holds a line break');
    const dash = createHttpFetch({ env: {} })('http://127.0.0.1:1', { headers: { 'x-team': 'a–b' } });
    await expect(dash).rejects.toThrow('The value of the header x-team holds a character that no header can');
  });

  it('refuses other kinds of addresses', async () => {
    await expect(createHttpFetch({ env: {} })('file:///etc/passwd')).rejects.toThrow('Only http and https');
  });
});

describe('http fetch behind a proxy', () => {
  it('asks the proxy for plain addresses, with its credentials', async () => {
    const proxy = await serve((request, response) => {
      response.end(
        JSON.stringify([request.url, request.headers.host, request.headers['proxy-authorization']]),
      );
    });
    const address = proxy.replace('http://', 'http://me:p%40ss@');
    const response = await createHttpFetch({ env: { HTTP_PROXY: address } })('http://model.test:8080/v1?a=1');
    expect(await response.json()).toEqual([
      'http://model.test:8080/v1?a=1',
      'model.test:8080',
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    ]);
  });

  it('asks the proxy for a tunnel to secure addresses', async () => {
    const asked: string[] = [];
    const proxy = await serve((_, response) => response.end());
    servers.at(-1)!.on('connect', (request: http.IncomingMessage, socket: NodeJS.WritableStream) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const response = await createHttpFetch({ env: { https_proxy: proxy } })('https://model.test/v1');
    expect([response.status, asked]).toEqual([403, ['model.test:443']]);
  });

  it('stops waiting for a tunnel when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const proxy = await serve(() => undefined);
    servers.at(-1)!.on('connect', (_, socket: Socket) => {
      closed = () => socket.destroy();
      controller.abort(reason);
    });
    let closed = (): unknown => undefined;
    const sent = createHttpFetch({ env: { https_proxy: proxy } })('https://model.test/v1', {
      signal: controller.signal,
    });
    await expect(sent).rejects.toBe(reason);
    closed();
  });

  it('never asks it for this machine', async () => {
    const url = await serve((_, response) => response.end('direct'));
    const response = await createHttpFetch({ env: { HTTP_PROXY: 'http://127.0.0.1:9' } })(url);
    expect(await response.text()).toBe('direct');
  });
});
