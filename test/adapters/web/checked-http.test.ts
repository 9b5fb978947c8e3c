import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { checkedHttp, type CheckedHttpOptions } from '../../../adapters/web/checked-http.ts';
import { contractPages, testHttp } from '../../../plugins/testing/contracts/http-contract.ts';
import { fakeHttp } from '../../../plugins/testing/fakes/fake-http.ts';
import { isPortError } from '../../../ports/errors.ts';
import type { HttpRequest } from '../../../ports/http.ts';

const servers: Server[] = [];
const never = new AbortController().signal;

async function serve(handler: RequestListener, prepare?: (server: Server) => void): Promise<number> {
  const server = createServer(handler);
  servers.push(server);
  prepare?.(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function endServers(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

afterEach(endServers);

const http = (options: Partial<CheckedHttpOptions> = {}) => checkedHttp({ proxyFor: () => null, ...options });

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return isPortError(error, 'http') ? `${error.kind}: ${error.message}` : String(error);
  }
}

const text = async (request: HttpRequest, options: Partial<CheckedHttpOptions> = {}) =>
  new TextDecoder().decode((await http(options).request(request, never)).body);

const kit = { describe, it, expect };

testHttp('checked http', kit, async () => {
  const port = await serve((request, response) => {
    const { status = 200, headers = {}, body = '' } = contractPages[request.url ?? ''] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  return { http: http(), site: `http://127.0.0.1:${port}`, end: endServers };
});

testHttp('the fake', kit, async () => {
  const site = 'http://site.example';
  const pages = Object.entries(contractPages).map(([path, page]) => [site + path, page] as const);
  return { http: fakeHttp(Object.fromEntries(pages)), site, end: async () => undefined };
});

describe('checked http', () => {
  it('connects to the address that it checked, and looks no name up a second time', async () => {
    const port = await serve((request, response) => response.end(`for ${request.headers.host}`));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve = async () => answers.shift() ?? [];
    expect(await text({ url: `http://rebind.example:${port}/` }, { resolve })).toBe(
      `for rebind.example:${port}`,
    );
    expect(answers).toEqual([['169.254.169.254']]);
  });

  it('checks each hop anew', async () => {
    const paths: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/next' }).end();
    });
    const answers = [['127.0.0.1'], ['93.184.216.34', '169.254.169.254']];
    const asked = http({ resolve: async () => answers.shift() ?? [] }).request(
      { url: `http://rebind.example:${port}/` },
      never,
    );
    expect(await failure(asked)).toBe(
      `blocked: http://rebind.example:${port}/ was not fetched: rebind.example leads to an address that is refused: 169.254.169.254 is a link-local address, where clouds give out credentials.`,
    );
    expect(paths).toEqual(['/']);
  });

  it('sends method, headers and body as the tool says, and no cookie back', async () => {
    const port = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { authorization, cookie = null } = request.headers;
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(
        JSON.stringify({ method: request.method, path: request.url, authorization, cookie, body }),
      );
    });
    const request = {
      url: `http://127.0.0.1:${port}/a?b=c#d`,
      method: 'post',
      headers: { Authorization: 'Bearer x' },
      body: 'ü',
    };
    const one = http();
    const first = await one.request(request, never);
    expect(first.headers['set-cookie']).toBe('a=1, b=2');
    const told = { method: 'POST', path: '/a?b=c', authorization: 'Bearer x', cookie: null, body: 'ü' };
    expect(JSON.parse(new TextDecoder().decode((await one.request(request, never)).body))).toEqual(told);
  });

  it('lets no header stand for the connection, and none carry a line', async () => {
    const kinds = [];
    for (const headers of [
      { Host: 'a' },
      { cookie: 'a' },
      { 'Proxy-Authorization': 'a' },
      { a: 'b\r\nc: d' },
    ]) {
      kinds.push(
        (await failure(http().request({ url: 'http://127.0.0.1:9/', headers }, never))).split(':')[0],
      );
    }
    expect(kinds).toEqual(['invalid', 'invalid', 'invalid', 'invalid']);
  });

  it('unpacks a body, and stops where it would grow beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(8_000_000));
    const port = await serve((request, response) => {
      const [encoding, body] =
        request.url === '/br'
          ? ['br', brotliCompressSync('packed')]
          : ['gzip', request.url === '/gzip' ? gzipSync('packed') : bomb];
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    const at = (path: string) => ({ url: `http://127.0.0.1:${port}${path}` });
    expect([await text(at('/gzip')), await text(at('/br'))]).toEqual(['packed', 'packed']);
    expect(await failure(http().request(at('/bomb'), never))).toContain(
      'too_large: ' + at('/bomb').url + ' was not fetched: the answer is longer than 5242880 bytes.',
    );
  });

  it('tells a body that is not packed as it says', async () => {
    const port = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
    );
    expect(await failure(http().request({ url: `http://127.0.0.1:${port}/` }, never))).toContain('io: ');
  });

  it('ends within its time, whatever hangs, and when it is aborted', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/body') response.write('begun');
    });
    const hangs = { resolve: () => new Promise<string[]>(() => undefined) };
    const timeoutMs = 60;
    const ask = (url: string, options = {}) => failure(http(options).request({ url, timeoutMs }, never));
    const late = 'there was no whole answer within 0.06 s.';
    expect(await ask(`http://127.0.0.1:${port}/`)).toContain(late);
    expect(await ask(`http://127.0.0.1:${port}/body`)).toContain(late);
    expect(await ask('http://slow.example/', hangs)).toContain(late);
    const stop = new AbortController();
    const asked = http().request({ url: `http://127.0.0.1:${port}/body` }, stop.signal);
    stop.abort();
    expect(await failure(asked)).toBe(
      `aborted: http://127.0.0.1:${port}/body was not fetched: it was interrupted.`,
    );
  });

  it('says what went wrong with a name, a port and an encrypted connection', async () => {
    const gone = await serve((_, response) => response.end());
    await endServers();
    const plain = await serve((_, response) => response.end());
    const unknown = async () => {
      throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    };
    const kinds = [
      await failure(http({ resolve: unknown }).request({ url: 'http://none.example/' }, never)),
      await failure(http({ resolve: async () => [] }).request({ url: 'http://none.example/' }, never)),
      await failure(http().request({ url: `http://127.0.0.1:${gone}/` }, never)),
      await failure(http().request({ url: `https://127.0.0.1:${plain}/` }, never)),
    ];
    expect(kinds.map((one) => one.split(':')[0])).toEqual(['not_found', 'not_found', 'refused', 'tls']);
  });
});

describe('checked http through a proxy', () => {
  async function proxy(): Promise<{ lines: string[]; options: Partial<CheckedHttpOptions> }> {
    const lines: string[] = [];
    const port = await serve(
      (request, response) => {
        lines.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
        response.end('by the proxy');
      },
      (server) =>
        server.on('connect', (request, socket) => {
          lines.push(`${request.method} ${request.url}`);
          socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        }),
    );
    const url = new URL(`http://me:secret@127.0.0.1:${port}`);
    return { lines, options: { proxyFor: () => ({ variable: 'HTTPS_PROXY', url }) } };
  }

  it('hands over what it checked, and says that the proxy looks the name up', async () => {
    const { lines, options } = await proxy();
    const resolve = async () => ['93.184.216.34'];
    const answer = await http({ ...options, resolve }).request({ url: 'http://site.example/a?b' }, never);
    expect([answer.proxy, new TextDecoder().decode(answer.body)]).toEqual(['HTTPS_PROXY', 'by the proxy']);
    const secure = await http({ ...options, resolve }).request({ url: 'https://site.example/' }, never);
    expect([secure.proxy, secure.status]).toEqual(['HTTPS_PROXY', 403]);
    expect(lines).toEqual([
      `GET http://site.example/a?b Basic ${Buffer.from('me:secret').toString('base64')}`,
      'CONNECT site.example:443',
    ]);
  });

  it('goes on with a name that only the proxy knows', async () => {
    const { options } = await proxy();
    const resolve = async () => {
      throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    };
    expect(await text({ url: 'http://inner.example/' }, { ...options, resolve })).toBe('by the proxy');
  });

  it('hands over nothing that is refused', async () => {
    const { lines, options } = await proxy();
    const resolve = async () => ['169.254.169.254'];
    const urls = [
      'http://bad.example/',
      'https://bad.example/',
      'http://169.254.169.254/',
      'https://[::ffff:a9fe:a9fe]/',
      'http://metadata.google.internal/',
    ];
    const kinds = [];
    for (const url of urls) {
      kinds.push((await failure(http({ ...options, resolve }).request({ url }, never))).split(':')[0]);
    }
    expect([kinds, lines]).toEqual([urls.map(() => 'blocked'), []]);
  });
});
