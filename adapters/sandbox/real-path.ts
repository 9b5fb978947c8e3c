import { realpathSync } from 'node:fs';

/** The path without symbolic links; null if there is nothing, so nothing to show or hide. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
