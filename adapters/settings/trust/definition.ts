import { z } from 'zod';
import { oneLine } from '../../../domain/text/one-line.ts';
import { keyText } from '../key-path.ts';

export type DefinitionKind = 'mcp_server' | 'hooks' | 'plugin';

/**
 * Something that a file which is not the user's own word would run (spec: settings-and-trust, "Layers"):
 * read, shown and pinned, never acted on before it is approved.
 */
export interface Definition {
  kind: DefinitionKind;
  /** The server's name, the plugin's id; for hooks, which are approved as a set, the file. */
  name: string;
  /** The file in which it stands, as people know it: `.mcp.json`, `~/.claude/settings.json`. */
  file: string;
  /** The project that it belongs to, canonical; null for the user's own files. */
  folder: string | null;
  /** As it stands in the file. */
  value: unknown;
  /** What would run, a line each, with hidden and control characters made visible. */
  runs: string[];
  /** Texts of the definition in which files of the project may be named. */
  texts: string[];
  /** Where its commands would start, as written; null is the project. */
  cwd: string | null;
  /** Why it can never run as it is; null if nothing is wrong. */
  problem: string | null;
}

/** The file that definitions stand in. */
export interface DefinitionSource {
  file: string;
  folder: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = z.record(z.string(), z.string());

const serverSchema = z
  .looseObject({
    command: z.string().min(1).exactOptional(),
    args: z.array(z.string()).exactOptional(),
    env: texts.exactOptional(),
    cwd: z.string().exactOptional(),
    url: z.string().min(1).exactOptional(),
    headers: texts.exactOptional(),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined));

const hooksSchema = z.record(
  z.string(),
  z.array(
    z.looseObject({
      matcher: z.string().exactOptional(),
      hooks: z.array(
        z.union([
          z.looseObject({ type: z.literal('command'), command: z.string() }),
          z.looseObject({ type: z.literal('prompt'), prompt: z.string() }),
        ]),
      ),
    }),
  ),
);

/** A value as it stands in a file: a text without quotes where it needs none. */
function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"'\\]+$/.test(value)) return oneLine(value);
  return oneLine(JSON.stringify(value));
}

/** A key by that name is read by some parsers, and left out or obeyed in another way by others. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

const protoProblem = 'it holds a key __proto__, which has no meaning there';

const words = (values: readonly unknown[]): string => values.map(shown).join(' ');

function misshapen(error: z.ZodError, otherwise: string): string {
  const path = error.issues[0]?.path ?? [];
  return path.length === 0 ? otherwise : `${keyText(path)} is not in a form that larik knows`;
}

function serverLines(value: Record<string, unknown>): string[] {
  const { command, args, ...rest } = value;
  const line =
    command === undefined ? [] : [`runs ${words([command, ...(Array.isArray(args) ? args : [])])}`];
  const first = command === undefined && args !== undefined ? { args, ...rest } : rest;
  return [
    ...line,
    ...Object.entries(first).flatMap(([key, one]) =>
      isRecord(one)
        ? Object.entries(one).map(([name, inner]) => `${oneLine(key)} ${oneLine(name)}=${shown(inner)}`)
        : [`${oneLine(key)} ${shown(one)}`],
    ),
  ];
}

/** Names from which tools' names are made: nothing in one may look like the border to the next. */
function serverNameProblem(name: string): string | null {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return 'its name may hold letters, digits, _ and - only';
  return name.includes('__') ? 'its name may not hold __' : null;
}

function server(source: DefinitionSource, name: string, value: unknown): Definition {
  const parsed = serverSchema.safeParse(value);
  const { command, args = [], env = {}, cwd } = parsed.data ?? {};
  return {
    kind: 'mcp_server',
    name,
    ...source,
    value,
    runs: isRecord(value) ? serverLines(value) : [shown(value)],
    texts: command === undefined ? [] : [command, ...args, ...Object.values(env)],
    cwd: cwd ?? null,
    problem:
      serverNameProblem(name) ??
      (hasProto(value) ? protoProblem : null) ??
      (parsed.success ? null : misshapen(parsed.error, 'expected an object with either command or url')),
  };
}

/** All MCP servers of a file's section. */
export function mcpServers(source: DefinitionSource, section: unknown): Definition[] {
  if (section === undefined) return [];
  if (isRecord(section)) return Object.entries(section).map(([name, value]) => server(source, name, value));
  return [{ ...server(source, 'mcp_servers', section), problem: 'expected an object with servers by name' }];
}

/** What hooks run, for those that are in a known form. */
function hookLines(sets: z.infer<typeof hooksSchema>): { lines: string[]; texts: string[] } {
  const all = Object.entries(sets).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks }) => {
      const when = matcher === undefined || matcher === '' ? event : `${event} (${matcher})`;
      return hooks.map((hook) => ({ when: oneLine(when), hook }));
    }),
  );
  return {
    lines: all.map(({ when, hook }) => {
      // A looseObject's own keys are typed, the others are not.
      const { type, ...rest } = hook as Record<string, unknown>;
      const main = type === 'prompt' ? 'prompt' : 'command';
      const more = Object.entries(rest).flatMap(([key, one]) =>
        key === main ? [] : [`, ${oneLine(key)} ${shown(one)}`],
      );
      const what =
        main === 'prompt'
          ? `asks a model ${shown(rest['prompt'])}`
          : `runs ${oneLine(String(rest['command']))}`;
      return `${when} ${what}${more.join('')}`;
    }),
    texts: all.flatMap(({ hook }) => ('command' in hook ? [String(hook.command)] : [])),
  };
}

/** The hooks of a file, which are approved as a set; none if it has none. */
export function hookSet(source: DefinitionSource, section: unknown): Definition[] {
  if (section === undefined || (isRecord(section) && Object.keys(section).length === 0)) return [];
  const parsed = hooksSchema.safeParse(section);
  const { lines, texts } = parsed.success ? hookLines(parsed.data) : { lines: [shown(section)], texts: [] };
  return [
    {
      kind: 'hooks',
      name: source.file,
      ...source,
      value: section,
      runs: lines,
      texts,
      cwd: null,
      problem: hasProto(section)
        ? protoProblem
        : parsed.success
          ? null
          : misshapen(parsed.error, 'expected an object with lists of hooks by event'),
    },
  ];
}

/** The plugins that a file names and does not switch off. */
export function pluginNames(source: DefinitionSource, section: unknown): Definition[] {
  if (section === undefined) return [];
  const all = isRecord(section) ? Object.entries(section) : [['plugins', section] as const];
  return all
    .filter(([, value]) => !isRecord(value) || value['enabled'] !== false)
    .map(([name, value]) => ({
      kind: 'plugin' as const,
      name,
      ...source,
      value,
      runs: [`loads the plugin ${oneLine(name)} with ${shown(value)}`],
      texts: [],
      cwd: null,
      // An approval of a name alone would hold for whatever is installed under it later.
      problem: isRecord(value)
        ? 'no package of it is installed here whose content an approval could be pinned to'
        : 'expected an object',
    }));
}
