import { open, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { oneLine } from '../../domain/text/one-line.ts';
import type { Content, InstructionFile } from '../../ports/content.ts';

/** No instruction file is larger than this; bytes. All of it would go into every request. */
const largest = 256 * 1024;

export interface InstructionPlaces {
  /** larik's config folder. */
  config: string;
  /** The project's root, canonical. */
  project: string;
  /** In the project, canonical. */
  cwd: string;
  /** Whether a link in the project may lead to this file of it; canonical. */
  mayLeadTo(target: string): Promise<boolean>;
}

type Found = { file: InstructionFile } | { problem: string } | null;

function inside(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && from !== path;
}

/** The text without what only the file system needs: a byte order mark, carriage returns at line ends. */
function cleaned(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return (text.startsWith('\ufeff') ? text.slice(1) : text).replaceAll('\r\n', '\n');
}

/**
 * Reads one file; null if it is not there. `within`: a link that leads out of the project, or to what it
 * may not lead to, is not followed, or a repository could show the model, and its server, any file of the
 * user's.
 */
async function readInstructions(path: string, within: InstructionPlaces | null): Promise<Found> {
  try {
    const info = await stat(path);
    if (!info.isFile()) return { problem: `${oneLine(path)} is not a file` };
    if (info.size > largest) return { problem: `${oneLine(path)} is larger than ${largest} bytes` };
    const target = await realpath(path);
    if (within !== null && !inside(target, within.project)) {
      return { problem: `${oneLine(path)} is a link that leads out of the project` };
    }
    if (within !== null && target !== path && !(await within.mayLeadTo(target))) {
      return { problem: `${oneLine(path)} is a link to a file that your settings keep from being read` };
    }
    const handle = await open(target, 'r');
    try {
      return { file: { path, text: cleaned(await handle.readFile()) } };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { problem: `${oneLine(path)} cannot be read (${code ?? 'unknown error'})` };
  }
}

/** The folders from the project's root down to cwd. */
function foldersDown({ project, cwd }: InstructionPlaces): string[] {
  const folders = [cwd];
  for (let at = cwd; at !== project && inside(at, project);) {
    at = dirname(at);
    folders.unshift(at);
  }
  return folders;
}

/**
 * AGENTS.md of the user, then AGENTS.md, or in a folder without one CLAUDE.md, of every folder from the
 * project's root down to cwd (spec: settings-and-trust, "More"). Read anew at each call.
 */
class InstructionFiles implements Content {
  constructor(private readonly places: InstructionPlaces) {}

  async instructions(): Promise<{ files: InstructionFile[]; problems: string[] }> {
    const { config } = this.places;
    const found = await Promise.all([
      readInstructions(join(config, 'AGENTS.md'), null),
      ...foldersDown(this.places).map(
        async (folder) =>
          (await readInstructions(join(folder, 'AGENTS.md'), this.places)) ??
          (await readInstructions(join(folder, 'CLAUDE.md'), this.places)),
      ),
    ]);
    const files: InstructionFile[] = [];
    const problems: string[] = [];
    for (const one of found) {
      if (one === null) continue;
      if ('problem' in one) problems.push(`${one.problem}; it is left out`);
      else if (one.file.text.trim() !== '') files.push(one.file);
    }
    return { files, problems };
  }
}

/** What people wrote for the agent, from the user's folder and the project's. */
export function instructionFiles(places: InstructionPlaces): Content {
  return new InstructionFiles(places);
}
