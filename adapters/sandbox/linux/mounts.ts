/** What a folder or file is inside the sandbox; of two for one path the later holds. */
export interface Mount {
  /** Absolute, without symbolic links, existing. */
  path: string;
  /** `shows`: what lies elsewhere. */
  as: 'writable' | 'read-only' | 'empty-folder' | { shows: string; writable: boolean };
}

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** The mounts as bubblewrap takes them: what lies above comes first, so that what is below it holds. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const latest = new Map(mounts.map((mount) => [mount.path, mount]));
  const sorted = [...latest.values()].sort((a, b) => depth(a.path) - depth(b.path));
  return sorted.flatMap(({ path, as }) => {
    switch (as) {
      case 'writable':
        return ['--bind', path, path];
      case 'read-only':
        return ['--ro-bind', path, path];
      case 'empty-folder':
        return ['--tmpfs', path];
      default:
        return [as.writable ? '--bind' : '--ro-bind', as.shows, path];
    }
  });
}
