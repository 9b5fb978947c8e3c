import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';

/** What the folders depend on: given, never looked up. */
export interface PlaceSource {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, absolute. */
  home: string;
}

/** Absolute folders; none need exist (spec: settings-and-trust, "Places"). A relative `LARIK_HOME` moves none. */
export interface Places {
  config: string;
  data: string;
  cache: string;
}

/** The folders of larik's own files on this platform. */
export function placesOf({ platform, env, home }: PlaceSource): Places {
  const path = platform === 'win32' ? win32 : posix;
  // The XDG specification tells to ignore relative paths; the same is right for the others.
  const folder = (name: string, otherwise: string): string => {
    const value = env[name];
    return value !== undefined && path.isAbsolute(value) ? value : path.join(home, otherwise);
  };
  const moved = env['LARIK_HOME'];
  if (moved !== undefined && path.isAbsolute(moved)) {
    const base = path.resolve(moved);
    return {
      config: path.join(base, 'config'),
      data: path.join(base, 'data'),
      cache: path.join(base, 'cache'),
    };
  }
  if (platform === 'win32') {
    const local = path.join(folder('LOCALAPPDATA', 'AppData\\Local'), 'larik');
    const config = path.join(folder('APPDATA', 'AppData\\Roaming'), 'larik');
    return { config, data: local, cache: path.join(local, 'cache') };
  }
  if (platform === 'darwin') {
    return {
      config: path.join(home, '.config', 'larik'),
      data: path.join(home, 'Library', 'Application Support', 'larik'),
      cache: path.join(home, 'Library', 'Caches', 'larik'),
    };
  }
  return {
    config: path.join(folder('XDG_CONFIG_HOME', '.config'), 'larik'),
    data: path.join(folder('XDG_DATA_HOME', '.local/share'), 'larik'),
    cache: path.join(folder('XDG_CACHE_HOME', '.cache'), 'larik'),
  };
}

/**
 * The name that a project's sessions and private settings go by: the last part of its canonical path,
 * made safe for file names, and the first 8 hex digits of the path's SHA-256.
 */
export function projectId(canonicalPath: string): string {
  const last = canonicalPath.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const safe = last.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  const hash = createHash('sha256').update(canonicalPath).digest('hex').slice(0, 8);
  return `${safe.slice(0, 40) || 'project'}-${hash}`;
}
