import { z } from 'zod';
import { keyDescriptions } from '../adapters/settings/descriptions.ts';
import { settingsSchema } from '../adapters/settings/schema.ts';
import { providerErrorKinds } from '../ports/errors.ts';
import type { AgentEvent, StampedEvent } from '../ports/event.ts';
import type { Block } from '../ports/message.ts';

/**
 * The published shape of events (spec: events). The types of `ports/event` are what the code uses;
 * the checks at the end keep both the same.
 */
const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
const mode = z.enum(['default', 'accept-edits', 'plan', 'auto', 'yolo']);
const turnEnd = z.enum([
  'end_turn',
  'max_tokens',
  'refusal',
  'max_steps',
  'budget',
  'timeout',
  'interrupted',
  'blocked',
  'hook_stopped',
  'loop',
  'error',
]);
const errorKind = z.enum(providerErrorKinds);

const image = z.object({ type: z.literal('image'), mediaType: z.string(), data: z.string() });
const block = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string(),
    signature: z.string().exactOptional(),
    phase: z.string().exactOptional(),
    provider: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('thinking'),
    text: z.string(),
    provider: z.string(),
    signature: z.string().exactOptional(),
    redacted: z.literal(true).exactOptional(),
  }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    rawInput: z.string().exactOptional(),
    signature: z.string().exactOptional(),
    provider: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    id: z.string(),
    name: z.string(),
    content: z.string(),
    isError: z.literal(true).exactOptional(),
    images: z.array(image).exactOptional(),
  }),
  image,
  z.object({ type: z.literal('opaque'), provider: z.string(), raw: z.unknown() }),
]);
const message = z.object({
  role: z.enum(['user', 'assistant']),
  model: z.string().exactOptional(),
  blocks: z.array(block),
});
const queued = z.object({ id: z.string(), text: z.string(), kind: z.enum(['steering', 'follow_up']) });

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn_start'), prompt: z.string(), mode, model: z.string() }),
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('thinking_delta'), text: z.string() }),
  z.object({
    type: z.literal('tool_call_delta'),
    tool_id: z.string(),
    tool_name: z.string(),
    input_delta: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('assistant_message'), message }),
  z.object({ type: z.literal('tool_start'), tool_id: z.string(), tool_name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool_progress'), tool_id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool_end'),
    tool_id: z.string(),
    tool_name: z.string(),
    output: z.string(),
    display: z.string().exactOptional(),
    is_error: z.boolean(),
    duration_ms: z.number(),
  }),
  z.object({
    type: z.literal('permission_request'),
    request_id: z.string(),
    tool_id: z.string(),
    tool_name: z.string(),
    input: z.unknown(),
    suggested_rule: z.string().nullable(),
    cwd: z.string(),
    sandboxed: z.boolean(),
    reason: z.string(),
    asked_by: z.enum(['guard', 'ask-rule', 'computed', 'hook']).exactOptional(),
    suggested_mode: mode.exactOptional(),
  }),
  z.object({
    type: z.literal('permission_resolved'),
    request_id: z.string(),
    outcome: z.enum(['allowed', 'denied', 'expired']),
    rule: z.string().exactOptional(),
    persisted: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('usage'),
    model: z.string(),
    turn: usage,
    total: usage,
    cost_usd: z.number().nullable(),
    context_tokens: z.number(),
    context_window: z.number(),
    ttft_ms: z.number(),
    request_ms: z.number(),
  }),
  z.object({
    type: z.literal('compacted'),
    summary: z.string(),
    before_tokens: z.number(),
    after_tokens: z.number(),
    saved_tokens: z.number(),
  }),
  z.object({
    type: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    code: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('queue'), items: z.array(queued) }),
  z.object({ type: z.literal('mode_changed'), mode, from: mode }),
  z.object({
    type: z.literal('model_changed'),
    model: z.string(),
    effort: z.string().nullable(),
    from: z.string(),
  }),
  z.object({ type: z.literal('task_started'), task_id: z.string(), label: z.string() }),
  z.object({
    type: z.literal('task_done'),
    task_id: z.string(),
    label: z.string(),
    status: z.enum(['completed', 'failed', 'stopped']),
    result: z.string(),
  }),
  z.object({ type: z.literal('error'), kind: errorKind, text: z.string(), retryable: z.boolean() }),
  z.object({
    type: z.literal('done'),
    stop_reason: turnEnd,
    usage,
    cost_usd: z.number().nullable(),
    reason: z.string().exactOptional(),
  }),
]);

const stamp = z.object({
  session: z.string(),
  seq: z.number().int(),
  time: z.number(),
  agent: z.string().exactOptional(),
});

/** One event as it leaves larik. */
export const stampedEvent = z.intersection(event, stamp);

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Does not compile when the schema and the types of `ports` part ways. */
export const eventSchemaMatchesTypes: [
  Same<z.infer<typeof event>, AgentEvent>,
  Same<z.infer<typeof block>, Block>,
  Same<z.infer<typeof stampedEvent>, StampedEvent>,
] = [true, true, true];

/** JSON Schema of one event, for `larik/schema/events.json`. */
export function eventsJsonSchema(): object {
  return z.toJSONSchema(stampedEvent, { io: 'input' });
}

/** The parts of a JSON Schema that hold keys. */
interface SchemaNode {
  description?: string;
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
}

/** The schema with each key's description. */
function described(node: SchemaNode, path: string): SchemaNode {
  const { properties, additionalProperties } = node;
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const description = keyDescriptions[path];
  return {
    ...(description === undefined ? {} : { description }),
    ...node,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, described(inner, below(name))]),
      ),
    }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: described(additionalProperties, below('*')),
    }),
  };
}

/** JSON Schema of a settings file, for `larik/schema/settings.json`. */
export function settingsJsonSchema(): object {
  // Without references, so that each key can say what it is.
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', reused: 'inline' }) as SchemaNode;
  return { title: 'Settings of larik', ...described(schema, '') };
}
