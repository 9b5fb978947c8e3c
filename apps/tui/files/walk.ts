import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hardly anybody means; what git ignores cannot be told without ripgrep. */
const skipped = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv', 'target', 'dist']);

/** Files below a folder by their relative paths, a level at a time. Links are not followed. */
export async function walkFiles(
  root: string,
  limit: number,
  signal: AbortSignal,
  found: (paths: string[]) => void,
): Promise<void> {
  let count = 0;
  let level = [''];
  while (level.length > 0 && count < limit && !signal.aborted) {
    const next: string[] = [];
    for (const folder of level) {
      if (count >= limit || signal.aborted) return;
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      const files: string[] = [];
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (skipped.has(entry.name)) continue;
        if (entry.isDirectory()) next.push(path);
        else if (entry.isFile()) files.push(path);
      }
      count += files.length;
      found(files);
    }
    level = next;
  }
}
