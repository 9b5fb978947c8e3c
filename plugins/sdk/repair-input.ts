import { fieldAliases } from './field-aliases.ts';
import type { FieldSchema, InputSchema } from './input-schema.ts';
import { isRecord, shown } from './shown.ts';

export type RepairedInput = { ok: true; input: Record<string, unknown> } | { ok: false; error: string };

/**
 * Repairs what can be meant in one way only (spec: prompting, "Input as models really send it"): other
 * names of fields, numbers, booleans, lists and objects in quotes, null for an absent field.
 */
export function repairInput(sent: unknown, schema: InputSchema): RepairedInput {
  const value = repairValue(sent ?? {}, schema);
  if (!isRecord(value)) return { ok: false, error: `the input must be one JSON object; got ${shown(sent)}` };
  const clash = findClash(sent, schema);
  return clash === null ? { ok: true, input: value } : { ok: false, error: clash };
}

function repairValue(value: unknown, schema: FieldSchema): unknown {
  const read = typeof value === 'string' ? unquoted(value, schema.type) : value;
  if (schema.type === 'array' && Array.isArray(read)) {
    const { items } = schema;
    return items ? read.map((item) => repairValue(item, items)) : read;
  }
  if (schema.type === 'object' && schema.properties && isRecord(read)) return repairFields(read, schema);
  return read;
}

function unquoted(text: string, type: FieldSchema['type']): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
    case 'boolean':
      return /^\s*(?:true|false)\s*$/i.test(text) ? text.trim().toLowerCase() === 'true' : text;
    case 'array':
    case 'object':
      return parsed(text, type);
    default: {
      const never: never = type;
      return never;
    }
  }
}

function parsed(text: string, type: 'array' | 'object'): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return (type === 'array' ? Array.isArray(value) : isRecord(value)) ? value : text;
  } catch {
    return text; // Validation says what is wrong with it.
  }
}

function repairFields(sent: Record<string, unknown>, schema: FieldSchema): Record<string, unknown> {
  const fields = schema.properties ?? {};
  const repaired: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = [name, ...aliasesOf(name, fields)].map((key) => own(sent, key)).find(given);
    // `null` for a field that may be left out means that it was left out.
    if (value !== undefined) repaired[name] = repairValue(value, field);
    else if (own(sent, name) === null && schema.required?.includes(name)) repaired[name] = null;
  }
  // Kept until validation drops them, so that an error can name a misspelt one.
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(fields, name) && name !== '__proto__') repaired[name] = value;
  }
  return repaired;
}

/** Aliases that this tool does not use for something else. */
function aliasesOf(name: string, fields: Record<string, FieldSchema>): readonly string[] {
  const aliases = Object.hasOwn(fieldAliases, name) ? (fieldAliases[name] ?? []) : [];
  return aliases.filter((alias) => !Object.hasOwn(fields, alias));
}

const own = (record: Record<string, unknown>, key: string) =>
  Object.hasOwn(record, key) ? record[key] : undefined;

const given = (value: unknown) => value !== undefined && value !== null;

/** Two names of one field that say different things, in words, or null. */
function findClash(sent: unknown, schema: FieldSchema): string | null {
  const read = typeof sent === 'string' ? unquoted(sent, schema.type) : sent;
  if (Array.isArray(read)) {
    const { items } = schema;
    for (const item of items ? read : []) {
      const clash = items && findClash(item, items);
      if (clash) return clash;
    }
    return null;
  }
  if (!isRecord(read) || !schema.properties) return null;
  for (const [name, field] of Object.entries(schema.properties)) {
    const keys = [name, ...aliasesOf(name, schema.properties)].filter((key) => given(own(read, key)));
    const [first = name, ...others] = keys;
    const value = JSON.stringify(repairValue(read[first], field));
    const other = others.find((key) => JSON.stringify(repairValue(read[key], field)) !== value);
    if (other !== undefined) {
      return (
        `\`${first}\` and \`${other}\` both stand for \`${name}\` and differ ` +
        `(${shown(read[first], 80)} and ${shown(read[other], 80)}). Send only \`${name}\`.`
      );
    }
    const inner = findClash(read[first], field);
    if (inner) return inner;
  }
  return null;
}
