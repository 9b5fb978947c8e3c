import { realPath } from './real-path.ts';

/** A program's folders of what it fetched or built, which commands may fill (spec: sandbox). */
export interface BuildCache {
  program: string;
  /** The variable that moves the folder; while the folder does not exist, it is set to a private one. */
  variable?: string;
  /** Variables that name a folder above it, and the way from there. */
  below?: { variable: string; path: string };
  /** From the home folder, where no variable says otherwise. */
  path: string;
}

/**
 * What only caches: no folder of programs, and none with files that say what else is run, such as
 * Gradle's `init.d` or `~/.cargo/bin`.
 */
export const buildCaches: readonly BuildCache[] = [
  { program: 'npm', variable: 'npm_config_cache', path: '.npm' },
  { program: 'pnpm', below: { variable: 'PNPM_HOME', path: 'store' }, path: '.local/share/pnpm/store' },
  { program: 'pnpm', below: { variable: 'XDG_CACHE_HOME', path: 'pnpm' }, path: '.cache/pnpm' },
  { program: 'yarn', variable: 'YARN_CACHE_FOLDER', path: '.cache/yarn' },
  { program: 'yarn', path: '.yarn/berry' },
  { program: 'bun', below: { variable: 'BUN_INSTALL', path: 'install/cache' }, path: '.bun/install/cache' },
  { program: 'deno', variable: 'DENO_DIR', path: '.cache/deno' },
  { program: 'node-gyp', below: { variable: 'XDG_CACHE_HOME', path: 'node-gyp' }, path: '.cache/node-gyp' },
  { program: 'pip', variable: 'PIP_CACHE_DIR', path: '.cache/pip' },
  { program: 'uv', variable: 'UV_CACHE_DIR', path: '.cache/uv' },
  { program: 'poetry', variable: 'POETRY_CACHE_DIR', path: '.cache/pypoetry' },
  { program: 'cargo', below: { variable: 'CARGO_HOME', path: 'registry' }, path: '.cargo/registry' },
  { program: 'cargo', below: { variable: 'CARGO_HOME', path: 'git' }, path: '.cargo/git' },
  { program: 'go', variable: 'GOCACHE', path: '.cache/go-build' },
  {
    program: 'go',
    variable: 'GOMODCACHE',
    below: { variable: 'GOPATH', path: 'pkg/mod' },
    path: 'go/pkg/mod',
  },
  { program: 'gradle', below: { variable: 'GRADLE_USER_HOME', path: 'caches' }, path: '.gradle/caches' },
  { program: 'gradle', below: { variable: 'GRADLE_USER_HOME', path: 'daemon' }, path: '.gradle/daemon' },
  { program: 'gradle', below: { variable: 'GRADLE_USER_HOME', path: 'native' }, path: '.gradle/native' },
  { program: 'gradle', below: { variable: 'GRADLE_USER_HOME', path: 'wrapper' }, path: '.gradle/wrapper' },
  { program: 'maven', path: '.m2/repository' },
  { program: 'sbt', path: '.ivy2/cache' },
  { program: 'coursier', path: '.cache/coursier' },
  { program: 'nuget', variable: 'NUGET_PACKAGES', path: '.nuget/packages' },
  { program: 'composer', variable: 'COMPOSER_CACHE_DIR', path: '.cache/composer' },
  { program: 'bundler', path: '.bundle/cache' },
  { program: 'ccache', variable: 'CCACHE_DIR', path: '.cache/ccache' },
  { program: 'ccache', path: '.ccache' },
  { program: 'sccache', path: '.cache/sccache' },
  { program: 'zig', path: '.cache/zig' },
];

/** Where a cache lies for this user, `join` being that of the platform. */
export function cacheFolder(
  cache: BuildCache,
  { home, env, join }: { home: string; env: Readonly<Record<string, string | undefined>>; join: Join },
): string {
  const own = cache.variable === undefined ? undefined : env[cache.variable];
  if (own !== undefined && own.startsWith('/')) return own;
  const above = cache.below === undefined ? undefined : env[cache.below.variable];
  if (cache.below !== undefined && above?.startsWith('/')) return join(above, cache.below.path);
  return join(home, cache.path);
}

/** The caches that exist, and variables that move the others into the folder `temporary`. */
export function usableCaches(
  place: Parameters<typeof cacheFolder>[1],
  temporary: string,
): { folders: string[]; variables: Record<string, string> } {
  const folders: string[] = [];
  const variables: Record<string, string> = {};
  for (const cache of buildCaches) {
    const folder = realPath(cacheFolder(cache, place));
    if (folder !== null) folders.push(folder);
    else if (cache.variable !== undefined)
      variables[cache.variable] = place.join(temporary, 'cache', cache.variable);
  }
  return { folders, variables };
}

type Join = (...parts: string[]) => string;
