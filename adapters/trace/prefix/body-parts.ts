import type { PromptPart } from '../../../ports/tracer.ts';

type Json = Record<string, unknown>;

/** A piece of a body: two requests hold the same one if names and texts are equal. */
export interface BodyPart {
  name: PromptPart;
  text: string;
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** Parameters that change what a vendor computes for a prompt, or which cache it looks in. */
const parameterNames = [
  'thinking',
  'output_config',
  'reasoning',
  'reasoning_effort',
  'think',
  'enable_thinking',
  'chat_template_kwargs',
  'tool_choice',
  'toolConfig',
  'prompt_cache_key',
];

/** Of nested settings only what counts: the rest, such as an output limit, leaves a cache as it is. */
function parameters(body: Json): BodyPart[] {
  const found: [string, unknown][] = [
    ...parameterNames.map((name): [string, unknown] => [name, body[name]]),
    ['thinkingConfig', record(body['generationConfig'])['thinkingConfig']],
    ['num_ctx', record(body['options'])['num_ctx']],
  ];
  return found.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: { part: 'parameters', name }, text: text(value) }],
  );
}

/** Without markers that say where a cache ends: they move, and are no part of the prompt. */
function unmarked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { cache_control: _marker, ...rest } = value as Json;
  return Array.isArray(rest['content']) ? { ...rest, content: blocksOf(rest['content']) } : rest;
}

/** Content as blocks; a text alone is one. */
function blocksOf(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return list(content).map(unmarked);
}

function toolName(tool: Json): string {
  const name = tool['name'] ?? record(tool['function'])['name'] ?? tool['type'];
  return typeof name === 'string' ? name : '?';
}

function tools(body: Json): BodyPart[] {
  const all = list(body['tools']).flatMap((tool) => {
    const declared = record(tool)['functionDeclarations'];
    return Array.isArray(declared) ? (declared as unknown[]) : [tool];
  });
  return all.map((tool) => ({
    name: { part: 'tool', name: toolName(record(tool)) },
    text: text(unmarked(tool)),
  }));
}

const isSystem = (message: Json): boolean => message['role'] === 'system' || message['role'] === 'developer';

function systemParts(body: Json, conversation: readonly Json[]): BodyPart[] {
  const alone = body['system'] ?? body['instructions'] ?? record(body['systemInstruction'])['parts'];
  const [first] = conversation;
  const leading = first !== undefined && isSystem(first) ? blocksOf(first['content']) : [];
  const blocks = alone === undefined ? leading : [...blocksOf(alone), ...leading];
  return blocks.map((block) => ({ name: { part: 'system' }, text: text(block) }));
}

/** Fields of a message that hold a list of its blocks. */
const blockFields = ['content', 'parts', 'blocks', 'tool_calls'] as const;

function messageParts(message: Json, at: number): BodyPart[] {
  const said = message['role'] ?? message['type'];
  const role = typeof said === 'string' ? said : '?';
  const around = Object.entries(record(unmarked(message))).filter(
    ([field]) => !(blockFields as readonly string[]).includes(field),
  );
  const blocks = blockFields.flatMap((field) =>
    message[field] === undefined ? [] : blocksOf(message[field]),
  );
  const name = (block: number): PromptPart => ({ part: 'message', message: at, role, block });
  return [
    { name: name(-1), text: text(Object.fromEntries(around)) },
    ...blocks.map((block, index) => ({ name: name(index), text: text(block) })),
  ];
}

/**
 * A request's body in pieces, in the order in which vendors cache: tools, system prompt, what a request
 * asks for beside its prompt, messages. Knows the bodies of all five protocols,
 * and the neutral request of providers that have none. Cache markers are left out.
 */
export function bodyParts(body: Json): BodyPart[] {
  const conversation = list(body['messages'] ?? body['input'] ?? body['contents']).map(record);
  const system = systemParts(body, conversation);
  const from = conversation[0] !== undefined && isSystem(conversation[0]) ? 1 : 0;
  const messages = conversation.slice(from).flatMap((message, at) => messageParts(message, at + from));
  const model =
    body['model'] === undefined ? [] : [{ name: { part: 'model' } as const, text: text(body['model']) }];
  return [...model, ...tools(body), ...system, ...parameters(body), ...messages];
}
