import { approvalsFile, definitionFiles } from '../../adapters/settings/trust/definition-files.ts';
import type { Definition, DefinitionKind } from '../../adapters/settings/trust/definition.ts';
import type { Definitions } from '../../adapters/settings/trust/definitions.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { Folder } from './folder.ts';

type Place = Pick<Folder, 'project' | 'home' | 'places'>;

/** What the folder's files would have run, with the hash of each; nothing of it is acted on. */
export async function definitionsInFull({ project, home, places }: Place): Promise<Definitions> {
  const { loadDefinitions } = await import('../../adapters/settings/trust/definitions.ts');
  const files = await definitionFiles({ project, home });
  return loadDefinitions({ project, files, approvals: approvalsFile(places.config) }, true);
}

const kinds: Readonly<Record<DefinitionKind, string>> = {
  mcp_server: 'MCP server',
  hooks: 'hooks',
  plugin: 'plugin',
};

/** `MCP server tickets (.mcp.json)`, `hooks (.claude/settings.json)`. */
export function definitionText({ kind, name, file }: Pick<Definition, 'kind' | 'name' | 'file'>): string {
  return kind === 'hooks' ? `hooks (${file})` : `${kinds[kind]} ${oneLine(name)} (${file})`;
}

/** Of what waits, so many are named at a start. */
const mostNamed = 4;

function named(all: readonly Definition[]): string {
  const texts = all.slice(0, mostNamed).map(definitionText);
  const more = all.length - texts.length;
  return `${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function counted(count: number, verb: string, verbOfMany: string): string {
  return count === 1 ? `1 definition ${verb}` : `${count} definitions ${verbOfMany}`;
}

/**
 * What a start tells of definitions that are not approved: those in one text, and each file that cannot
 * be read. Nothing is loaded where no file is there. Never throws.
 */
export async function definitionNotices({ project, home, places }: Place): Promise<string[]> {
  const files = await definitionFiles({ project, home });
  if (files.length === 0) return [];
  const { loadDefinitions } = await import('../../adapters/settings/trust/definitions.ts');
  const found = await loadDefinitions({ project, files, approvals: approvalsFile(places.config) });
  const waiting = found.definitions.filter(({ state }) => state === 'waiting' || state === 'changed');
  const unusable = found.definitions.filter(({ state }) => state === 'unusable');
  const texts = [...found.problems];
  if (waiting.length + unusable.length === 0) return texts;
  const parts =
    waiting.length === 0
      ? []
      : [`${counted(waiting.length, 'waits', 'wait')} for approval: ${named(waiting)}`];
  if (unusable.length > 0) {
    parts.push(`${counted(unusable.length, 'cannot', 'cannot')} be approved: ${named(unusable)}`);
  }
  texts.push(`${parts.join('; ')}; this version of larik runs none of them; larik trust list shows them`);
  return texts;
}
