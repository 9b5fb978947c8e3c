import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainProxy } from './domain-proxy.ts';
import { forwarded, keptNodeOptions } from './forwarder.ts';
import type { TargetOptions } from './targets.ts';

export interface WayOutOptions extends TargetOptions {
  /** The path of Node, which runs the forwarder in the sandbox. */
  node: string;
}

/** One command's way to the allowed domains. */
export interface WayOut {
  /** The command behind its forwarder. */
  file: string;
  args: readonly string[];
  /** Where the proxy's socket lies, and where the forwarder looks for it. */
  socket: { path: string; inside: string };
  /** The command's environment with Node's options where the forwarder does not heed them. */
  pastForwarder(env: Record<string, string>): Record<string, string>;
  refused(): readonly string[];
  close(): Promise<void>;
}

/** In a folder that bubblewrap makes anew for each command, so that none can put a link in its place. */
const inside = '/dev/larik-proxy';

/** Opens a proxy for one command, on a socket in a private folder. */
export async function openWayOut(
  command: { file: string; args: readonly string[] },
  { node, ...targets }: WayOutOptions,
): Promise<WayOut> {
  const folder = await mkdtemp(join(tmpdir(), 'larik-proxy-'));
  const path = join(folder, 's');
  const proxy = new DomainProxy(targets);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await proxy.listen(path);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...forwarded(command, { node, socket: inside }),
    socket: { path, inside },
    pastForwarder,
    refused: () => proxy.refused,
    async close() {
      await proxy.close();
      await remove();
    },
  };
}

function pastForwarder(env: Record<string, string>): Record<string, string> {
  const { NODE_OPTIONS: options, ...rest } = env;
  return options === undefined ? env : { ...rest, [keptNodeOptions]: options };
}
