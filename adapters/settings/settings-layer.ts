import { allowedDomain } from '../../domain/text/net/allowed-domain.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { SettingsProblem } from '../../ports/settings.ts';
import { expandVariables } from './expansion.ts';
import type { Environment } from './overrides.ts';
import { placeText } from './documents/position.ts';
import {
  parseJsonDocument,
  type ParsedDocument,
  type SettingsDocument,
} from './documents/settings-document.ts';
import { keyText } from './key-path.ts';
import type { SettingsFile } from './schema.ts';
import type { FileText } from './settings-file.ts';
import { waitingSections } from './trust/shared-rights.ts';
import { validate, type Validation } from './validation.ts';

/** One file's settings, once they are sound. */
export interface SettingsLayer {
  file: string;
  settings: SettingsFile;
  document: SettingsDocument;
}

export interface LayerResult {
  layer: SettingsLayer | null;
  problems: SettingsProblem[];
}

/** What a file that is left out may have held: a deny rule that is lost must stop the start. */
function leftOut(texts: readonly string[], content: string | undefined): LayerResult {
  // What is no text at all, or in another encoding, may hold anything.
  const fatal = content === undefined || /\bdeny\b|[\0\ufffd]/i.test(content);
  const end = fatal
    ? 'the file may hold deny rules, so larik does not start without it'
    : 'the whole file is left out';
  return {
    layer: null,
    problems: texts.map((text, at) => ({
      level: 'error',
      text: at === texts.length - 1 ? `${text}; ${end}` : text,
      fatal,
    })),
  };
}

async function parse(file: string, text: string): Promise<ParsedDocument> {
  if (!/\.ya?ml$/.test(file)) return parseJsonDocument(text);
  try {
    const { loadYamlDocument } = await import('./documents/yaml-document.ts');
    return await loadYamlDocument(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { ok: false, problem: { position: null, text: `it cannot be read as YAML (${code})` } };
  }
}

/**
 * Entries of the sandbox that name nothing (spec: threats, D10, C12): a domain is left out, so that less
 * is reached; a path that would hide nothing stops the start, as a malformed deny rule does. Without a
 * `file` the texts name no place.
 */
export function uselessEntries(
  file: string | null,
  { sandbox }: SettingsFile,
  document: SettingsDocument,
): SettingsProblem[] {
  const told = (key: string, at: number, entry: string, what: string): string => {
    const place = file === null ? '' : `${placeText(file, document.positionOf(['sandbox', key, at]))}: `;
    return `${place}sandbox.${key}: "${oneLine(entry)}": ${what}`;
  };
  const domains = (sandbox?.allowed_domains ?? []).flatMap((entry, at): SettingsProblem[] => {
    const domain = allowedDomain(entry);
    if (!('problem' in domain)) return [];
    const text = told(
      'allowed_domains',
      at,
      entry,
      `${domain.problem}${file === null ? '' : '; this entry is left out'}`,
    );
    return [{ level: 'warning', text, fatal: false }];
  });
  const paths = (sandbox?.deny_read ?? []).flatMap((entry, at): SettingsProblem[] => {
    const problem = denyPathProblem(entry);
    if (problem === null) return [];
    const text = told(
      'deny_read',
      at,
      entry,
      `${problem}, so it would hide nothing that is meant${file === null ? '' : '; correct or remove it'}`,
    );
    return [{ level: 'error', text, fatal: true }];
  });
  return [...domains, ...paths];
}

/** Why a path of `deny_read` is not taken, in one clause, or null. */
function denyPathProblem(entry: string): string | null {
  if (entry.trim() !== entry || entry === '') return 'it is empty or has blanks around it';
  if (entry.includes('\0')) return 'no path holds a NUL character';
  if (/[*?]|\[[^\]]*\]/.test(entry)) return 'patterns are not understood here';
  if (/^~[^/]/.test(entry)) return 'homes of other users are not understood here; write the path from /';
  const parts = entry.replace(/^~(?=\/|$)/, '').split('/');
  const isNamed = parts.some((part) => !['', '.', '..'].includes(part));
  return isNamed ? null : 'it names no file or folder in particular';
}

/** The settings with the values of their variables; one that is not set makes the file unusable. */
function expandLayer(
  file: string,
  checked: Validation,
  document: SettingsDocument,
  env: Environment,
): Validation {
  if (checked.settings === null) return checked;
  const { settings, problems } = expandVariables(checked.settings, env);
  if (problems.length === 0) return { ...checked, settings };
  const errors = problems.map(
    ({ path, text }) => `${placeText(file, document.positionOf(path))}: ${keyText(path)}: ${text}`,
  );
  return { ...checked, settings: null, errors };
}

/**
 * Reads one file into a layer. A file counts as a whole or not at all (spec: settings-and-trust,
 * "Layers"). Variables are taken from `env`; null is for a project's shared file,
 * in which texts stay as they are written.
 */
export async function readLayer(
  file: string,
  content: FileText,
  env: Environment | null,
): Promise<LayerResult> {
  if (content === null) return { layer: null, problems: [] };
  if ('refused' in content) return leftOut([`${oneLine(file)}: ${content.refused}`], content.text);
  const { text } = content;
  const parsed = await parse(file, text);
  if (!parsed.ok) {
    const { position, text: what } = parsed.problem;
    return leftOut([`${placeText(file, position)}: ${what}`], text);
  }
  // What a project's own file may not set at once is told where it is judged.
  const checked = validate(file, parsed.document, env === null ? waitingSections : []);
  const { settings, errors, warnings } =
    checked.settings === null || env === null ? checked : expandLayer(file, checked, parsed.document, env);
  const useless = settings === null ? [] : uselessEntries(file, settings, parsed.document);
  const told = [...(content.warning === undefined ? [] : [content.warning]), ...warnings];
  const problems = [
    ...told.map((one): SettingsProblem => ({ level: 'warning', text: one, fatal: false })),
    ...useless,
  ];
  if (settings !== null) return { layer: { file, settings, document: parsed.document }, problems };
  const out = leftOut(errors, text);
  return { layer: null, problems: [...problems, ...out.problems] };
}
