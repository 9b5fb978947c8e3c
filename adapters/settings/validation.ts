import type { z } from 'zod';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { placeText, type Position } from './documents/position.ts';
import { keyText } from './key-path.ts';
import { keysAt, settingsSchema, type SettingsFile } from './schema.ts';
import type { SettingsDocument } from './documents/settings-document.ts';

/** Of a file's problems, so many are told. */
const mostTold = 10;

/** And so many are looked for in the file, which takes long where a project's own file holds thousands. */
const mostLocated = 100;

/** Keys whose values hold nothing secret and may stand in a message. */
const shown = new Set([
  'model',
  'effort',
  'mode',
  'guard',
  'sandbox',
  'limits',
  'checkpoint_retention_days',
  'theme',
  'keys',
  'mouse',
  'notifications',
]);

/** A file is checked once, so compiling a parser for it costs more than it gives back. */
const once = { jitless: true };

export interface Validation {
  /** Null if anything is wrong: a file counts as a whole or not at all. */
  settings: SettingsFile | null;
  errors: string[];
  warnings: string[];
}

type Issue = z.core.$ZodIssue;

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const part of path) here = (here as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return here;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value of these may be a key, whatever its type. */
const secret = new Set<PropertyKey | undefined>(['api_key', 'api_key_command', 'headers']);

function got(value: unknown, path: readonly PropertyKey[]): string {
  if (path[0] === 'providers' && secret.has(path[2])) return typeOf(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || !shown.has(String(path[0]))) return typeOf(value);
  return oneLine(JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value));
}

const types: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'something that is not empty';
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'invalid_union':
      return issue.errors.flatMap(([first]) => (first === undefined ? [] : [expected(first)])).join(' or ');
    case 'too_big':
      return `at most ${issue.maximum}`;
    default:
      return 'something else';
  }
}

/** A text with its place, so that a file's problems are told from top to bottom. */
interface Told {
  position: Position | null;
  text: string;
}

function told(document: SettingsDocument, issue: Issue): Told {
  const position = document.positionOf(issue.path) ?? document.positionOf(issue.path.slice(0, -1));
  const key = issue.path.length === 0 ? 'the file' : keyText(issue.path);
  const what = got(at(document.value, issue.path), issue.path);
  return { position, text: `${key}: expected ${expected(issue)}, got ${what}` };
}

function toldUnknown(document: SettingsDocument, path: readonly PropertyKey[], key: string): Told {
  const [near] = nearNames(key, keysAt(path), 1);
  const hint = near === undefined ? 'it has no effect' : `did you mean ${near}?`;
  const whole = [...path, key];
  return { position: document.positionOf(whole), text: `unknown key ${keyText(whole)}; ${hint}` };
}

/** A copy without the keys that are not known. */
function withoutUnknown(value: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const here = at(copy, issue.path) as Record<string, unknown>;
    for (const key of issue.keys) delete here[key];
  }
  return copy;
}

/** The problems from top to bottom, as texts. */
function inOrder<T>(problems: readonly T[], tell: (problem: T) => Told, file: string | null): string[] {
  const all = problems.slice(0, mostLocated).map(tell);
  const row = ({ position }: Told): number => position?.line ?? 0;
  const column = ({ position }: Told): number => position?.column ?? 0;
  const sorted = all.sort((a, b) => row(a) - row(b) || column(a) - column(b));
  const place = (position: Position | null): string =>
    file === null ? '' : `${placeText(file, position)}: `;
  const texts = sorted.map(({ position, text }) => `${place(position)}${text}`);
  if (texts.length <= mostTold) return texts;
  return [...texts.slice(0, mostTold), `${place(null)}and ${problems.length - mostTold} more like these`];
}

/** The schema's word on a value. Null: it has so much to say that it cannot say it. */
function parsed(value: unknown): ReturnType<typeof settingsSchema.safeParse> | null {
  try {
    return settingsSchema.safeParse(value, once);
  } catch (error) {
    // A list of 200,000 wrong entries does that.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function tooMany(file: string | null): Validation {
  const place = file === null ? '' : `${placeText(file, null)}: `;
  return { settings: null, errors: [`${place}it holds too many mistakes to name one`], warnings: [] };
}

/**
 * Checks a whole file: any error leaves all of it out, unknown keys are warnings, but for sections in
 * `toldElsewhere`. Without a `file` the texts name no place.
 */
export function validate(
  file: string | null,
  document: SettingsDocument,
  toldElsewhere: readonly string[] = [],
): Validation {
  const first = parsed(document.value);
  if (first === null) return tooMany(file);
  if (first.success) return { settings: first.data, errors: [], warnings: [] };
  const { issues } = first.error;
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys
          .filter((key) => issue.path.length > 0 || !toldElsewhere.includes(key))
          .map((key) => ({ path: issue.path, key }))
      : [],
  );
  const warnings = inOrder(unknown, ({ path, key }) => toldUnknown(document, path, key), file);
  const second = parsed(withoutUnknown(document.value, issues));
  if (second === null) return tooMany(file);
  if (second.success) return { settings: second.data, errors: [], warnings };
  const errors = inOrder(second.error.issues, (issue) => told(document, issue), file);
  return { settings: null, errors, warnings };
}
