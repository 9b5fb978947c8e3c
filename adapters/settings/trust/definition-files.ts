import { join } from 'node:path';
import { readSettingsFile, type FileText } from '../settings-file.ts';
import type { DefinitionSource } from './definition.ts';

export interface DefinitionPlaces {
  /** The project's canonical path. */
  project: string;
  /** The user's home folder. */
  home: string;
}

/** Which sections of a file hold definitions. */
export type DefinitionSections = 'mcp' | 'larik' | 'claude';

/** A file that may hold definitions, and what stands in it. */
export interface DefinitionFile extends DefinitionSource {
  path: string;
  sections: DefinitionSections;
  text: NonNullable<FileText>;
}

/** Where approvals are kept (spec: settings-and-trust, "Places"). */
export function approvalsFile(config: string): string {
  return join(config, 'approvals.json');
}

/**
 * The files in which definitions may stand and that are there (spec: settings-and-trust, "Layers"): the
 * project's own ones, and the user's of Claude Code. Never throws.
 */
export async function definitionFiles({ project, home }: DefinitionPlaces): Promise<DefinitionFile[]> {
  const shared = (file: string, sections: DefinitionSections) => ({
    file,
    path: join(project, file),
    folder: project,
    sections,
  });
  const files = [
    shared('.mcp.json', 'mcp'),
    shared('.larik/settings.json', 'larik'),
    shared('.claude/settings.json', 'claude'),
  ];
  const personal = join(home, '.claude', 'settings.json');
  // Where the home folder is the project, the file is the project's.
  const all = files.some(({ path }) => path === personal)
    ? files
    : [
        ...files,
        { file: '~/.claude/settings.json', path: personal, folder: null, sections: 'claude' as const },
      ];
  const read = await Promise.all(
    all.map(async (one) => ({ ...one, text: await readSettingsFile(one.path, one.folder === null) })),
  );
  return read.flatMap((one) => (one.text === null ? [] : [{ ...one, text: one.text }]));
}
