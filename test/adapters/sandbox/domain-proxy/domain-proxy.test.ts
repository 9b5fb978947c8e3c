import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DomainProxy } from '../../../../adapters/sandbox/domain-proxy/domain-proxy.ts';
import type { TargetOptions } from '../../../../adapters/sandbox/domain-proxy/targets.ts';
import { allowedDomain, type AllowedDomain } from '../../../../domain/text/net/allowed-domain.ts';

let folder: string;
let web: Server;
let echo: TcpServer;
let webPort: number;
let echoPort: number;
const proxies: DomainProxy[] = [];
/** The request lines and hosts that reached the web server. */
const asked: string[] = [];
const echoed = new Set<Socket>();

const listening = async (server: TcpServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-proxy-test-'));
  web = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(`${request.method} ${request.url} ${request.headers.host} ${body}`.trim());
    response
      .writeHead(200, { 'x-kept': 'yes', connection: 'x-dropped', 'x-dropped': 'no' })
      .end('from the web');
  });
  echo = createTcpServer((socket) => {
    echoed.add(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  webPort = await listening(web);
  echoPort = await listening(echo);
});

afterAll(async () => {
  web.closeAllConnections();
  for (const socket of echoed) socket.destroy();
  await Promise.all([web, echo].map((server) => new Promise((resolve) => server.close(resolve))));
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  asked.length = 0;
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

function domains(...entries: string[]): AllowedDomain[] {
  return entries.map((entry) => {
    const domain = allowedDomain(entry);
    if ('problem' in domain) throw new Error(domain.problem);
    return domain;
  });
}

let count = 0;

/** A proxy to the local servers, unless told otherwise, and a way to say things to it. */
async function begin(options: Partial<TargetOptions> = {}) {
  const proxy = new DomainProxy({
    domains: domains(`web.example:${webPort}`, `echo.example:${echoPort}`),
    resolve: async () => ['127.0.0.1'],
    refuses: () => null,
    ...options,
  });
  proxies.push(proxy);
  const path = join(folder, `s${(count += 1)}`);
  await proxy.listen(path);
  /** All that comes back for `text`, until the other side ends or `enough` is there. */
  const say = (text: string | Buffer, enough?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ path, allowHalfOpen: true });
      let got = '';
      const end = () => {
        socket.destroy();
        resolve(got);
      };
      socket.on('data', (chunk: Buffer) => {
        got += chunk.toString('latin1');
        if (enough !== undefined && got.includes(enough)) end();
      });
      socket.on('end', end);
      socket.on('close', () => resolve(got));
      socket.on('error', reject);
      socket.write(text);
    });
  return { proxy, say };
}

const get = (url: string, host = 'other.example') =>
  `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nProxy-Connection: keep-alive\r\nConnection: close\r\n\r\n`;
const tunnel = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

describe('the domain proxy', () => {
  it('passes on a request under the name that it decided about', async () => {
    const { proxy, say } = await begin();
    const answer = await say(get(`http://web.example:${webPort}/a?b=c`));
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\nx-kept: yes\r\n/);
    expect([answer.includes('from the web'), answer.includes('x-dropped')]).toEqual([true, false]);
    expect([asked, proxy.refused]).toEqual([[`GET /a?b=c web.example:${webPort}`], []]);
  });

  it('passes on a body', async () => {
    const { say } = await begin();
    await say(
      `POST http://web.example:${webPort}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody`,
    );
    expect(asked).toEqual([`POST / web.example:${webPort} body`]);
  });

  it('opens a tunnel to an allowed host and port, in any spelling of its name', async () => {
    const { say } = await begin();
    for (const host of ['echo.example', 'ECHO.example.', 'a.b.echo.example']) {
      const answer = await say(`${tunnel(`${host}:${echoPort}`)}early and late`, 'late');
      expect(answer).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly and late');
    }
  });

  it('refuses every other host, names it once and says which setting it is', async () => {
    const { proxy, say } = await begin();
    const text =
      'larik: the sandbox refused other.example: it is not allowed. `sandbox.allowed_domains` in the settings names the hosts that commands reach.\n';
    for (const line of [tunnel('other.example:443'), get('http://other.example/')]) {
      const answer = await say(line);
      expect([answer.startsWith('HTTP/1.1 403 Forbidden\r\n'), answer.includes(text)]).toEqual([true, true]);
    }
    expect([proxy.refused, asked]).toEqual([['other.example'], []]);
  });

  it('refuses hostile spellings of a host', async () => {
    const { proxy, say } = await begin({ domains: domains('example.com', '*.below.example') });
    const hosts = [
      'notexample.com',
      'example.com.evil.org',
      'below.example',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'example.com%00.evil.org',
      'evil.org#.example.com',
      'evil.org/.example.com',
      'evil.org@example.com',
      'evil.org\\.example.com',
      'evil_host.example.com',
      '-evil.example.com',
      'ex\xe4mple.com',
      '.example.com',
      'example.com..',
      '*.example.com',
      '',
    ];
    for (const host of hosts) {
      const answer = await say(Buffer.from(tunnel(`${host}:443`), 'latin1'));
      expect(answer, host).toMatch(/^(HTTP\/1\.1 403 |$)/);
    }
    for (const port of ['22', '0', '99999', '443x', '']) {
      expect(await say(tunnel(`example.com:${port}`)), port).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(proxy.refused.slice(0, 3)).toEqual(['notexample.com', 'example.com.evil.org', 'below.example']);
  });

  it('closes what is no request: NUL, line ends in the middle, SOCKS', async () => {
    const { say } = await begin();
    const hostile = [
      tunnel(`echo.example\0.evil.org:${echoPort}`),
      `CONNECT echo.example\n:${echoPort} HTTP/1.1\r\n\r\n`,
      Buffer.from([5, 1, 0]),
      Buffer.from([4, 1, 1, 187, 127, 0, 0, 1, 0]),
      'x'.repeat(100_000),
    ];
    for (const text of hostile) expect(await say(text).catch(() => '')).not.toContain(' 200 ');
    expect(await say(get('/path'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await say(get('ftp://web.example/'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('connects to the address that it checked, and looks no name up a second time', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const { say } = await begin({ resolve: async () => answers.shift() ?? [] });
    expect(await say(get(`http://web.example:${webPort}/`))).toContain('from the web');
    expect(answers).toEqual([['169.254.169.254']]);
  });

  it('refuses link-local and metadata addresses and this machine, whatever leads there', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));
    const bad = ['169.254.169.254', '::ffff:a9fe:a9fe', 'fd00:ec2::254', 'fe80::1', '0.0.0.0', '::1', ...own];
    let address = '';
    const proxy = new DomainProxy({
      domains: domains('web.example'),
      resolve: async () => ['93.184.216.34', address],
    });
    proxies.push(proxy);
    const path = join(folder, 'checked');
    await proxy.listen(path);
    for (address of bad) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(path);
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
        socket.write(tunnel('web.example:443'));
      });
      expect(answer, address).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(proxy.refused).toEqual(['web.example']);
  });

  it('tells a name that is not known, and a host that cannot be reached, from a refusal', async () => {
    const resolve = async (host: string) => {
      if (host.startsWith('none')) throw new Error('unknown');
      return ['127.0.0.1'];
    };
    const { proxy, say } = await begin({ domains: domains('x.example:1'), resolve });
    for (const line of [tunnel('none.x.example:1'), tunnel('x.example:1'), get('http://x.example:1/')]) {
      expect(await say(line)).toMatch(/^HTTP\/1\.1 502 /);
    }
    expect(proxy.refused).toEqual([]);
  });

  it('reaches nothing with an empty list', async () => {
    const { say } = await begin({ domains: [] });
    expect(await say(tunnel('example.com:443'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('ends what is open when it closes', async () => {
    const { proxy, say } = await begin();
    const hanging = say(tunnel(`echo.example:${echoPort}`));
    await expect
      .poll(() => new Promise((resolve) => echo.getConnections((_, open) => resolve(open))))
      .not.toBe(0);
    await proxy.close();
    expect(await hanging).toContain('200');
  });

  it('outlives answers that no program could pass on', async () => {
    const odd = createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('HTTP/1.1 099 x\r\n\r\n'),
    );
    const port = await listening(odd);
    const { say } = await begin({ domains: domains(`web.example:${webPort}`, `odd.example:${port}`) });
    expect(await say(get(`http://odd.example:${port}/`)).catch(() => '')).not.toContain('200');
    expect(await say(get(`http://web.example:${webPort}/`))).toContain('from the web');
    await new Promise((resolve) => odd.close(resolve));
  });
});
