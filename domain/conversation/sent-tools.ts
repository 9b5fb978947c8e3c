import type { JsonSchema, ToolSpec } from '../../ports/provider.ts';

/** What vendors refuse beside `type: "object"`. */
const alternatives = ['anyOf', 'oneOf', 'allOf'];
const refused = new Set(['$schema', 'not', 'enum', ...alternatives]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

function isObjectType(type: unknown): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function isFine(schema: JsonSchema): boolean {
  const { type, properties, required } = schema;
  const named = required === undefined || isNames(required);
  return (
    type === 'object' && isObject(properties) && named && !Object.keys(schema).some((key) => refused.has(key))
  );
}

/** The fields of a schema, those of its alternatives among them. */
function fieldsOf(schema: JsonSchema): JsonSchema {
  const branches = alternatives.flatMap((key) => schema[key]).filter(isObject);
  const all = [...branches, schema].map(({ properties }) => properties);
  return Object.assign({}, ...all.filter(isObject)) as JsonSchema;
}

/** A schema as every vendor takes it: of an object, with its fields in one place. */
function sentSchema(schema: unknown): JsonSchema {
  if (!isObject(schema) || !isObjectType(schema['type'])) return { type: 'object', properties: {} };
  if (isFine(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !refused.has(key) && (key !== 'required' || isNames(value)),
  );
  return { ...Object.fromEntries(kept), type: 'object', properties: fieldsOf(schema) };
}

/** Tools never change, and are sent with every request. */
const repaired = new WeakMap<ToolSpec, ToolSpec>();

function sentTool(spec: ToolSpec): ToolSpec {
  const known = repaired.get(spec);
  if (known !== undefined) return known;
  const { name, description, inputSchema } = spec;
  const schema = sentSchema(inputSchema);
  const sent = schema === inputSchema ? spec : { name, description, inputSchema: schema };
  repaired.set(spec, sent);
  return sent;
}

/**
 * The tools as every vendor takes them: an odd schema, such as one of a plugin or of an older session, is
 * repaired (spec: agent-loop, "Healing"). What a schema loses by it, the tool still checks for itself.
 */
export function sentTools(tools: readonly ToolSpec[]): ToolSpec[] {
  return tools.map(sentTool);
}
