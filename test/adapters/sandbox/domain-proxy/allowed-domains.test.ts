import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bubblewrap } from '../../../../adapters/sandbox/bubblewrap.ts';
import { takeFileLock } from '../../../../adapters/system/file-lock.ts';
import { LocalProcesses } from '../../../../adapters/system/local-processes.ts';
import { searchProgram } from '../../../../adapters/system/processes/program-search.ts';
import { isInstalled } from '../../../installed.ts';

const never = new AbortController().signal;

describe.skipIf(!isInstalled('bwrap'))('allowed domains in bubblewrap', () => {
  let root: string;
  let web: Server;
  let port: number;
  let sandbox: Bubblewrap;
  let processes: LocalProcesses;
  /** Shows the last line of what comes back from an address asked for through the proxy. */
  const ask =
    'ask() { exec 7<>"/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}"; printf \'%s\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n\' "$1" >&7; cat <&7; exec 7>&-; }; ';

  beforeAll(async () => {
    root = await mkdtemp('/var/tmp/larik-domains-');
    web = createServer((request, response) => response.end(`web for ${request.headers.host}\n`));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    port = (web.address() as AddressInfo).port;
    sandbox = new Bubblewrap({
      program: searchProgram('bwrap', process.env['PATH']),
      nsenter: () => searchProgram('nsenter', process.env['PATH']),
      project: root,
      home: root,
      notes: join(root, 'notes'),
      denyRead: [],
      writable: [],
      own: [join(root, 'notes')],
      protectedNames: { project: ['.git'], git: [] },
      env: [],
      network: false,
      domains: {
        domains: [{ name: 'web.example', belowOnly: false, port }],
        node: process.execPath,
        resolve: async () => ['127.0.0.1'],
        refuses: () => null,
      },
      required: false,
      environment: {},
      lock: takeFileLock,
    });
    processes = new LocalProcesses({
      outputFolder: join(root, 'output'),
      sandbox,
      environment: { PATH: process.env['PATH'], NODE_OPTIONS: '--no-warnings' },
    });
  });

  afterAll(async () => {
    await processes.dispose();
    await sandbox.dispose();
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
    await rm(root, { recursive: true, force: true });
  });

  const run = async (shell: string) => {
    const spec = { command: { shell }, cwd: root, keepBytes: 10_000, timeoutMs: 20_000 };
    const { exitCode, head, sandboxed, refusedHosts } = await processes.run(spec, never);
    return { exitCode, head, sandboxed, refusedHosts };
  };

  it('are told of, and nothing else of the network', async () => {
    expect(await sandbox.describe()).toMatchObject({ network: false, domains: [`web.example:${port}`] });
  });

  it('are reached through the proxy, others are refused and named', async () => {
    const { head, ...rest } = await run(
      `${ask} ask 'GET http://web.example:${port}/ HTTP/1.1'; ask 'GET http://other.example/ HTTP/1.1'`,
    );
    expect(head).toContain(`web for web.example:${port}`);
    expect(head).toContain('larik: the sandbox refused other.example');
    expect(rest).toEqual({ exitCode: 0, sandboxed: true, refusedHosts: ['other.example'] });
  });

  it('leave the host out of reach by any other way', async () => {
    const { head } = await run(
      `(exec 7<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo loopback cut; (exec 7<>/dev/tcp/192.0.2.1/80) 2>/dev/null || echo network cut`,
    );
    expect(head).toBe('loopback cut\nnetwork cut\n');
  });

  it('change nothing else of a command: exit code, options of Node, descriptors', async () => {
    const shown = await run(
      'echo "$NODE_OPTIONS,$LARIK_NODE_OPTIONS"; for fd in /proc/self/fd/*; do echo "${fd##*/}"; done; exit 3',
    );
    expect(shown).toEqual({
      exitCode: 3,
      head: expect.stringMatching(/^--no-warnings,\n0\n1\n2\n(?:\d+\n)?$/),
      sandboxed: true,
      refusedHosts: undefined,
    });
    expect((await run('kill -TERM $$')).exitCode).toBe(143);
  });

  it('serve a command in the background, which shares its network with the next', async () => {
    const spec = {
      command: { shell: `${ask} ask 'GET http://far.example/ HTTP/1.1'; echo done; sleep 60` },
      cwd: root,
      keepBytes: 10_000,
    };
    const id = await processes.start(spec);
    let text = '';
    await expect
      .poll(async () => (text += (await processes.output(id)).text), { timeout: 10_000 })
      .toContain('done');
    const { head } = await run(`${ask} ask 'GET http://web.example:${port}/ HTTP/1.1'`);
    expect(head).toContain(`web for web.example:${port}`);
    expect((await processes.stop(id)).refusedHosts).toEqual(['far.example']);
  });

  it('leave nothing behind', async () => {
    const left = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('larik-proxy-') && !name.includes('test'),
    );
    await run('true');
    const after = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('larik-proxy-') && !name.includes('test'),
    );
    expect(after.filter((name) => !left.includes(name))).toEqual([]);
  });
});
