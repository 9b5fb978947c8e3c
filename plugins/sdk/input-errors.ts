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
  return `- \`${named(path)}\`: expected ${expected}${rule(issue, field)}; got ${shown(value)}.`;
}

/** What a value must be beside its type, in our words unless the tool's author gave other ones. */
function rule(issue: Issue, field: FieldSchema | undefined): string {
  const others = field ? ` (${issue.message})` : '';
  // So the validator's own messages begin.
  if (!/^(?:Too small|Too big|Invalid)\b/.test(issue.message)) return others;
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return '';
    case 'too_small':
      return amount('at least', issue.origin, Number(issue.minimum), field);
    case 'too_big':
      return amount('at most', issue.origin, Number(issue.maximum), field);
    case 'not_multiple_of':
      return `, a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return ` that ${issue.message.replace(/^Invalid string: /, '').replace(/^Invalid /, 'must be a valid ')}`;
    default:
      return others;
  }
}

function amount(
  least: 'at least' | 'at most',
  of: string,
  bound: number,
  field: FieldSchema | undefined,
): string {
  const unit = { string: ['character', 'characters'], array: ['entry', 'entries'] }[of];
  if (unit) return `, ${least} ${bound} ${unit[bound === 1 ? 0 : 1]}`;
  const low = field?.['minimum'] ?? field?.['exclusiveMinimum'];
  const high = field?.['maximum'] ?? field?.['exclusiveMaximum'];
  // Told with the type already, unless it is the largest number that can be counted to.
  return (least === 'at least' ? low : high) === undefined ? `, ${least} ${bound}` : '';
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

function bounds(what: string, field: FieldSchema): string {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = field;
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return `${what} from ${minimum} to ${maximum}`;
  const told = [
    typeof minimum === 'number' ? `at least ${minimum}` : null,
    typeof above === 'number' ? `above ${above}` : null,
    typeof maximum === 'number' ? `at most ${maximum}` : null,
    typeof below === 'number' ? `below ${below}` : null,
  ].filter((part) => part !== null);
  return told.length === 0 ? what : `${what}, ${told.join(' and ')}`;
}

/** An unknown field that was probably meant to be `name`. */
function misspelt(name: string, holder: unknown, schema: FieldSchema | undefined): string | null {
  if (!isRecord(holder)) return null;
  const unknown = Object.keys(holder).filter((key) => !Object.hasOwn(schema?.properties ?? {}, key));
  return nearField(name, unknown);
}
