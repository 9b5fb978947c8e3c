import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from './root.ts';

const execute = promisify(execFile);

interface LockedPackage {
  version: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/** Packs a folder as `npm publish` would, without its scripts, and gives the tarball's path. */
export async function pack(folder: string, into: string): Promise<string> {
  const args = ['pack', folder, '--ignore-scripts', '--json', '--pack-destination', into];
  const { stdout } = await execute('npm', args, { cwd: into, shell: process.platform === 'win32' });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(into, basename(packed!.filename));
}

/**
 * An npm registry on this machine: what larik needs at run time, by the lock file, out of
 * `node_modules`. Packages of other platforms are listed, and not there to be fetched.
 */
export async function startRegistry(scratch: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const lock = JSON.parse(await readFile(resolve(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const folders = Object.entries(lock.packages).filter(([key, { dev }]) => key !== '' && dev !== true);
  const locked = new Map(
    folders.map(([key, value]) => [key.slice(key.lastIndexOf('node_modules/') + 13), { key, ...value }]),
  );
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const name = path.replace(/\/-\.tgz$/, '');
    const found = locked.get(name);
    if (found === undefined) return void response.writeHead(404).end('{}');
    if (path !== name) {
      return void pack(join(root, found.key), scratch)
        .then((file) => readFile(file))
        .then(
          (bytes) => response.end(bytes),
          // npm asks again, and waits before, for whatever is not simply missing.
          (error: unknown) => response.writeHead(404).end(String(error)),
        );
    }
    const { version, dependencies, optionalDependencies, os, cpu, libc } = found;
    const tarball = `http://${request.headers.host}/${encodeURIComponent(name)}/-.tgz`;
    const manifest = { name, version, dependencies, optionalDependencies, os, cpu, libc, dist: { tarball } };
    const document = { name, 'dist-tags': { latest: version }, versions: { [version]: manifest } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(() => closed()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}
