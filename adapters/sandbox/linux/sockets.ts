import { accessSync, constants, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where a variable's value leads to: the path of a Unix socket, or of a file. Null for other values.
 * Without `XDG_RUNTIME_DIR` a display of Wayland has no place.
 */
function pathOf(name: string, value: string, environment: Environment): string | null {
  if (name === 'DISPLAY') {
    const display = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(value)?.[1];
    return display === undefined ? null : `/tmp/.X11-unix/X${display}`;
  }
  const folder = environment['XDG_RUNTIME_DIR'];
  if (name === 'WAYLAND_DISPLAY' && !isAbsolute(value)) return folder ? join(folder, value) : null;
  const path = /^unix:path=([^,;]+)/.exec(value)?.[1] ?? value.replace(/^unix:\/\//, '');
  return isAbsolute(path) ? path : null;
}

/** What a variable that the settings name gives access to: a socket, or a file such as that of `XAUTHORITY`. */
export interface NamedPlace {
  /** Absolute, without symbolic links. */
  path: string;
  isSocket: boolean;
}

/**
 * The sockets and files that named variables lead to (spec: sandbox): whoever names `SSH_AUTH_SOCK`
 * means its socket as well.
 */
export function namedPlaces(names: readonly string[], environment: Environment): NamedPlace[] {
  return names.flatMap((name): NamedPlace[] => {
    const value = environment[name];
    const path = value === undefined ? null : pathOf(name, value, environment);
    if (path === null) return [];
    try {
      const real = realpathSync(path);
      const found = lstatSync(real);
      return found.isSocket() || found.isFile() ? [{ path: real, isSocket: found.isSocket() }] : [];
    } catch {
      return []; // Nobody listens there now.
    }
  });
}

/** Paths out of the system's list of Unix sockets; those by a relative path, or none, are left out. */
export function socketPaths(list: string): string[] {
  const paths = list.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}

/**
 * The Unix sockets of this machine's programs that a command could connect to by their path, wherever
 * they lie: Docker's, agents of keys, editors, databases. Absolute, without symbolic links. No more
 * than those whose program shares larik's network namespace, as all of an ordinary login do.
 */
export function socketsInReach(): string[] {
  let list: string;
  try {
    list = readFileSync('/proc/self/net/unix', 'utf8');
  } catch {
    return []; // A system without that list; the folders of sockets are hidden all the same.
  }
  return socketPaths(list).flatMap((path) => {
    try {
      const real = realpathSync(path);
      accessSync(real, constants.W_OK);
      return lstatSync(real).isSocket() ? [real] : [];
    } catch {
      return []; // Gone, or not for this user.
    }
  });
}
