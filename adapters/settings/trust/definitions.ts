import { oneLine } from '../../../domain/text/one-line.ts';
import { placeText } from '../documents/position.ts';
import { parseJsonDocument } from '../documents/settings-document.ts';
import { readApprovals, type Approval } from './approvals.ts';
import type { DefinitionFile } from './definition-files.ts';
import { definitionHash, type PinnedFile } from './definition-hash.ts';
import { hookSet, mcpServers, pluginNames, type Definition } from './definition.ts';

/** How it stands with a definition; only `approved` ones may ever be acted on. */
export type DefinitionState =
  | { state: 'approved'; since: string }
  | { state: 'waiting' }
  /** It was approved, and is something else now. */
  | { state: 'changed'; since: string }
  | { state: 'unusable'; why: string };

export type JudgedDefinition = Definition &
  DefinitionState & {
    /** What an approval would be pinned to; null where it was not worked out, or cannot be. */
    hash: string | null;
    /** Files of the project that are pinned with it. */
    files: PinnedFile[];
  };

export interface Definitions {
  definitions: JudgedDefinition[];
  /** Approvals for this project, or for all, of what is no longer there. */
  stale: Approval[];
  /** What is wrong with files as a whole, each with its place. */
  problems: string[];
}

export interface DefinitionsSource {
  /** The project's canonical path. */
  project: string;
  files: readonly DefinitionFile[];
  /** The file of approvals. */
  approvals: string;
}

/** What a file holds; a file of settings is told of where settings are read. */
function definitionsIn(file: DefinitionFile): { definitions: Definition[]; problem: string | null } {
  const { path, sections, text } = file;
  const source = { file: file.file, folder: file.folder };
  const broken = (place: string, what: string) => ({
    definitions: [],
    problem: sections === 'larik' ? null : `${place}: ${what}; nothing in it counts`,
  });
  if ('refused' in text) return broken(oneLine(path), text.refused);
  const parsed = parseJsonDocument(text.text);
  if (!parsed.ok) return broken(placeText(path, parsed.problem.position), parsed.problem.text);
  const { value } = parsed.document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return broken(oneLine(path), 'expected an object');
  }
  const all = value as Record<string, unknown>;
  const own = (name: string): unknown => (Object.hasOwn(all, name) ? all[name] : undefined);
  const found = {
    mcp: () => mcpServers(source, own('mcpServers')),
    larik: () => [
      ...mcpServers(source, own('mcp_servers')),
      ...hookSet(source, own('hooks')),
      ...pluginNames(source, own('plugins')),
    ],
    claude: () => hookSet(source, own('hooks')),
  };
  return { definitions: found[sections](), problem: null };
}

/** Of two of one name the second cannot be used: which of them a name means must not be open. */
function withoutDoubles(definitions: readonly Definition[]): Definition[] {
  const first = new Map<string, Definition>();
  return definitions.map((one) => {
    const key = `${one.kind} ${one.name}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, one);
    return before === undefined ? one : { ...one, problem: `${before.file} has one of the same name` };
  });
}

const isOf = (approval: Approval, { folder, kind, name }: Definition): boolean =>
  approval.folder === folder && approval.kind === kind && approval.name === name;

async function judged(
  definition: Definition,
  approvals: readonly Approval[],
  project: string,
  inFull: boolean,
): Promise<JudgedDefinition> {
  const unpinned = { hash: null, files: [] };
  if (definition.problem !== null) {
    return { ...definition, ...unpinned, state: 'unusable', why: definition.problem };
  }
  const own = approvals.filter((approval) => isOf(approval, definition));
  const latest = own.at(-1);
  // A start need not read what is not approved anyway.
  if (latest === undefined && !inFull) return { ...definition, ...unpinned, state: 'waiting' };
  const pinned = await definitionHash(definition, project);
  if ('problem' in pinned) return { ...definition, ...unpinned, state: 'unusable', why: pinned.problem };
  const held = own.find(({ hash }) => hash === pinned.hash);
  if (held !== undefined) return { ...definition, ...pinned, state: 'approved', since: held.approved };
  if (latest === undefined) return { ...definition, ...pinned, state: 'waiting' };
  return { ...definition, ...pinned, state: 'changed', since: latest.approved };
}

/**
 * What the project's files, and the user's of Claude Code, would have run, and whether it is approved
 * (spec: settings-and-trust, "Layers"). Nothing is acted on here. `inFull` works out the hash of each,
 * which is needed to approve; without it that of approved ones only. Never throws.
 */
export async function loadDefinitions(
  { project, files, approvals: file }: DefinitionsSource,
  inFull = false,
): Promise<Definitions> {
  const read = await readApprovals(file);
  const found = files.map(definitionsIn);
  const approvals = 'problem' in read ? [] : read;
  const all = withoutDoubles(found.flatMap(({ definitions }) => definitions));
  const problems = found.flatMap(({ problem }) => problem ?? []);
  return {
    definitions: await Promise.all(all.map((one) => judged(one, approvals, project, inFull))),
    stale: approvals.filter(
      (approval) =>
        (approval.folder === project || approval.folder === null) && !all.some((one) => isOf(approval, one)),
    ),
    problems: 'problem' in read ? [...problems, read.problem] : problems,
  };
}
