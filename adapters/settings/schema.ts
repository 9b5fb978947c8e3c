import { z } from 'zod';
import { modes } from '../../ports/mode.ts';
import { efforts } from './overrides.ts';

const texts = z.array(z.string());
const positive = z.number().positive();
const count = z.number().int().positive();
const price = z.number().nonnegative();

const provider = z.strictObject({
  type: z.string().exactOptional(),
  preset: z.string().exactOptional(),
  base_url: z.string().exactOptional(),
  api_key_env: z.string().exactOptional(),
  api_key_command: z.array(z.string()).min(1).exactOptional(),
  api_key: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  stall_timeout: positive.exactOptional(),
});

const model = z.strictObject({
  context_window: count.exactOptional(),
  max_output: count.exactOptional(),
  images: z.boolean().exactOptional(),
  tools: z.boolean().exactOptional(),
  prices: z
    .strictObject({
      input: price,
      output: price,
      cache_read: price.exactOptional(),
      cache_write: price.exactOptional(),
    })
    .exactOptional(),
});

/**
 * A settings file (spec: settings-and-trust, "Keys"), as far as larik uses it: times in seconds, sizes
 * in tokens or bytes, prices in USD per million tokens. A section comes in with the feature that
 * reads it.
 */
export const settingsSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  model: z.string().min(1).exactOptional(),
  effort: z.enum(efforts).exactOptional(),
  mode: z.enum(modes).exactOptional(),
  roles: z.record(z.string(), z.string().min(1)).exactOptional(),
  fallbacks: z.record(z.string(), z.array(z.string().min(1))).exactOptional(),
  providers: z.record(z.string(), provider).exactOptional(),
  models: z.record(z.string(), model).exactOptional(),
  permissions: z
    .strictObject({ allow: texts.exactOptional(), ask: texts.exactOptional(), deny: texts.exactOptional() })
    .exactOptional(),
  guard: z.enum(['on', 'off']).exactOptional(),
  sandbox: z
    .strictObject({
      type: z.enum(['auto', 'bubblewrap', 'seatbelt', 'none']).exactOptional(),
      writable: texts.exactOptional(),
      deny_read: texts.exactOptional(),
      env: texts.exactOptional(),
      network: z.boolean().exactOptional(),
      allowed_domains: texts.exactOptional(),
    })
    .exactOptional(),
  limits: z
    .strictObject({
      max_steps: count.exactOptional(),
      budget_usd: z.number().nonnegative().nullable().exactOptional(),
      tool_output_bytes: count.exactOptional(),
      bash_timeout: positive.exactOptional(),
    })
    .exactOptional(),
  checkpoint_retention_days: z.number().nonnegative().exactOptional(),
  theme: z.string().min(1).exactOptional(),
  keys: z.record(z.string(), z.union([z.string(), texts])).exactOptional(),
  status_line: z
    .strictObject({
      type: z.enum(['command']),
      command: z.string().min(1),
      padding: z.number().int().nonnegative().exactOptional(),
      refresh: positive.exactOptional(),
    })
    .exactOptional(),
  mouse: z.boolean().exactOptional(),
  notifications: z.boolean().exactOptional(),
});

/** The content of one settings file. */
export type SettingsFile = z.infer<typeof settingsSchema>;

/** The keys that may stand at a place of the file; none where any may. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = settingsSchema;
  for (const part of path) {
    schema = inner(schema);
    if (schema instanceof z.ZodObject) schema = (schema.shape as Record<string, unknown>)[String(part)];
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
    else return [];
  }
  schema = inner(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function inner(schema: unknown): unknown {
  return schema instanceof z.ZodExactOptional || schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}
