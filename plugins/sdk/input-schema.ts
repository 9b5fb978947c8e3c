/** The part of JSON Schema that a tool's input may use: flat, without unions and references. */
export interface FieldSchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  enum?: readonly unknown[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
  [further: string]: unknown;
}

export type InputSchema = FieldSchema & { type: 'object'; properties: Record<string, FieldSchema> };

/** What some vendors refuse and no model needs. */
const noise = new Set(['$schema', 'additionalProperties', 'default', 'format', '$id']);

function plain(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema)
    .filter(([key, value]) => !noise.has(key) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
    .map(([key, value]): [string, unknown] => {
      if (key === 'items') return [key, plain(value as Record<string, unknown>)];
      if (key !== 'properties') return [key, value];
      const fields = Object.entries(value as Record<string, Record<string, unknown>>);
      return [key, Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]))];
    });
  // One order of keys, whatever zod's is.
  const rank = ['type', 'description', 'enum', 'items', 'properties', 'required'];
  const place = (key: string) => (rank.includes(key) ? rank.indexOf(key) : rank.length);
  return Object.fromEntries(entries.sort(([a], [b]) => place(a) - place(b)));
}

/** Bounds that `parse` checks: some vendors refuse them, and the descriptions tell models what they need. */
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].concat([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
]);

/** Zod's JSON Schema of an object in one form: flat, its keys in one order. */
export function flatSchema(schema: object): InputSchema {
  const { properties = {}, ...rest } = plain(schema as Record<string, unknown>);
  return { ...rest, type: 'object', properties } as InputSchema;
}

/** What models are sent of it (spec: prompting, "Tool definitions"). */
export function sentSchema(schema: FieldSchema): FieldSchema {
  const { items, properties, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !bounds.includes(key)));
  const { required, ...head } = kept as FieldSchema;
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, sentSchema(field)]);
  return {
    ...head,
    ...(items === undefined ? {} : { items: sentSchema(items) }),
    ...(fields === undefined
      ? {}
      : { properties: Object.fromEntries(fields) as Record<string, FieldSchema> }),
    ...(required === undefined ? {} : { required }),
  };
}
