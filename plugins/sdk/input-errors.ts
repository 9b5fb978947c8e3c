import type { z } from 'zod';
import type { FieldSchema, InputSchema } from './input-schema.ts';
import { nearField } from './near-field.ts';
import { isRecord, shown } from './shown.ts';

type Issue = z.core.$ZodIssue;

/** More than this many faults are one: the input was meant for something else. */
const mostIssues = 3;

/**
 * Says what is wrong with an input: the field, what was expected, what came, and a misspelt field's
 * near name (spec: prompting, "Results").
 */
export function describeIssues(
  tool: string,
  issues: readonly Issue[],
  input: Record<string, unknown>,
  schema: InputSchema,
): string {
  const lines = issues.slice(0, mostIssues).map((issue) => describe(issue, input, schema));
  const more = issues.length > mostIssues ? [`and ${issues.length - mostIssues} more faults`] : [];
  return [`${tool} did not run: its input is not valid.`, ...lines, ...more].join('\n');
}

function describe(issue: Issue, input: Record<string, unknown>, schema: InputSchema): string {
  const path = issue.path.map(String);
  const field = at(schema, path);
  const expected = field ? expectation(field) : issue.message;
  const value = valueAt(input, path);
  if (value === undefined) {
    const holder = valueAt(input, path.slice(0, -1));
    const near = misspelt(path.at(-1) ?? '', holder, at(schema, path.slice(0, -1)));
    const hint = near === null ? '' : ` You sent \`${near}\`; the field is called \`${path.at(-1)}\`.`;
    return `- \`${named(path)}\` is missing: expected ${expected}.${hint}`;
  }
  // A value of the right type breaks a rule that the type does not tell.
  const why = issue.code === 'invalid_type' || issue.code === 'invalid_value' ? '' : ` (${issue.message})`;
  return `- \`${named(path)}\`: expected ${expected}${why}; got ${shown(value)}.`;
}

function named(path: readonly string[]): string {
  return path.map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
}

function at(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let here: FieldSchema | undefined = schema;
  for (const part of path) here = here?.type === 'array' ? here.items : here?.properties?.[part];
  return here;
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let here = input;
  for (const part of path) {
    if (Array.isArray(here)) here = here[Number(part)];
    else if (isRecord(here) && Object.hasOwn(here, part)) here = here[part];
    else return undefined;
  }
  return here;
}

function expectation(field: FieldSchema): string {
  if (field.enum) return `one of ${field.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (field.type) {
    case 'integer':
      return bounds('a whole number', field);
    case 'number':
      return bounds('a number', field);
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${field.items?.type === 'object' ? ' of objects' : ''}`;
    case 'object':
      return 'an object';
    case 'string':
      return field.description ? `a string (${cutSentence(field.description)})` : 'a string';
    default: {
      const never: never = field.type;
      return never;
    }
  }
}

function cutSentence(text: string): string {
  return shown(text.replace(/\.$/, ''), 80).slice(1, -1);
}

function bounds(what: string, { minimum, maximum }: FieldSchema): string {
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return `${what} from ${minimum} to ${maximum}`;
  return typeof minimum === 'number' ? `${what}, at least ${minimum}` : what;
}

/** An unknown field that was probably meant to be `name`. */
function misspelt(name: string, holder: unknown, schema: FieldSchema | undefined): string | null {
  if (!isRecord(holder)) return null;
  const unknown = Object.keys(holder).filter((key) => !Object.hasOwn(schema?.properties ?? {}, key));
  return nearField(name, unknown);
}
