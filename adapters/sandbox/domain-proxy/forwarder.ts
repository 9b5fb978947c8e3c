/** The variable that carries `NODE_OPTIONS` past the forwarder: they are meant for the command. */
export const keptNodeOptions = 'LARIK_NODE_OPTIONS';

/**
 * Runs in the sandbox, in front of a command: listens on loopback, passes each connection on to a Unix
 * socket, starts the command with the proxy's variables, and ends with it. It is sent to `node -e` as
 * text, so it uses nothing but globals.
 */
function forward(keptOptions: string): void {
  const { connect, createServer } = process.getBuiltinModule('node:net');
  const { closeSync, writeSync } = process.getBuiltinModule('node:fs');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { constants } = process.getBuiltinModule('node:os');
  const [, descriptors = '', socket = '', file = '', ...args] = process.argv;

  // What larik itself was given by whoever started it is for no command.
  const inherited = descriptors.split(' ').map(Number);
  for (const one of inherited) if (one > 4) closeSync(one);

  const start = (proxy: Record<string, string>): void => {
    const { [keptOptions]: options, ...env } = process.env;
    const further = [3, 4].map((one) => (inherited.includes(one) ? one : ('ignore' as const)));
    const child = spawn(file, args, {
      env: { ...env, ...proxy, ...(options === undefined ? {} : { NODE_OPTIONS: options }) },
      stdio: ['inherit', 'inherit', 'inherit', ...further],
    });
    // Both are the command's, to hold or to close.
    for (const one of further) if (one !== 'ignore') closeSync(one);
    child.on('error', (error) => {
      writeSync(2, `${error.message}\n`);
      process.exit(127);
    });
    child.on('exit', (code, signal) => {
      process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  };

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: socket, allowHalfOpen: true });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  server.on('error', (error) => {
    writeSync(2, `larik: no way to the allowed domains: ${error.message}\n`);
    start({});
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const here = 'localhost,127.0.0.1,::1';
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
    start({
      ...Object.fromEntries(
        [...names, ...names.map((name) => name.toLowerCase())].map((name) => [name, url]),
      ),
      NO_PROXY: here,
      no_proxy: here,
      // Node's own fetch heeds the variables only when told to.
      NODE_USE_ENV_PROXY: '1',
    });
  });
}

/**
 * Tells the forwarder which descriptors were handed down. Node has its own among them by the time that it
 * could look, and marks all of them alike.
 */
const telling =
  'd=; for f in /proc/self/fd/*; do [ -e "$f" ] && d="$d ${f##*/}"; done; n=$0; s=$1; shift; exec "$n" -e "$s" -- "${d# }" "$@"';

/** The line that starts `command` behind a forwarder to the Unix socket at `socket`. */
export function forwarded(
  command: { file: string; args: readonly string[] },
  { node, socket }: { node: string; socket: string },
): { file: string; args: readonly string[] } {
  const script = `(${forward.toString()})(${JSON.stringify(keptNodeOptions)})`;
  return { file: '/bin/sh', args: ['-c', telling, node, script, socket, command.file, ...command.args] };
}
