import {
  Findings,
  isObject,
  type Json,
  list,
  object,
  same,
  toolId,
  toolName,
  type Validator,
} from './findings.ts';

const sampling = ['temperature', 'top_p', 'top_k', 'tool_choice'];

/** What `POST /v1/messages` refuses (wire formats, sections 5 and 6). */
export const validateAnthropic: Validator = (body, options) => {
  const found = new Findings(options);
  found.wellFormed(body);
  found.text(body['model'], 'model');
  found.check(Number(body['max_tokens']) >= 1, 'max_tokens', 'is missing');
  for (const key of sampling) found.check(!(key in body), key, 'is refused');
  for (const part of list(body['system'])) found.text(object(part)['text'], 'system');
  found.tools(body['tools'], (tool) => ({ name: tool['name'], schema: tool['input_schema'] }));
  found.check(markers(body) <= 4, 'cache_control', 'stands in more than four places');
  messages(found, list(body['messages']).map(object));
  thinkingSetting(found, body);
  return found.list;
};

function markers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = isObject(value) && 'cache_control' in value ? 1 : 0;
  return Object.values(value).reduce<number>((sum, item) => sum + markers(item), own);
}

function messages(found: Findings, all: readonly Json[]): void {
  const ids = new Set<unknown>();
  found.check(all.length > 0 && all[0]?.['role'] === 'user', 'messages', 'do not start with the user');
  let open: unknown[] = [];
  for (const [at, message] of all.entries()) {
    const where = `messages.${at}`;
    const content = list(message['content']).map(object);
    found.check(message['role'] === (at % 2 === 0 ? 'user' : 'assistant'), where, 'roles do not alternate');
    found.check(content.length > 0, where, 'is empty');
    if (message['role'] === 'user') {
      const results = content.filter((part) => part['type'] === 'tool_result');
      const answered = content.slice(0, open.length).map((part) => part['tool_use_id']);
      found.check(
        results.length === open.length && same(answered, open),
        where,
        'does not start with one result per call',
      );
      content.forEach((part, i) => userPart(found, part, `${where}.content.${i}`));
      open = [];
    } else {
      content.forEach((part, i) => assistantPart(found, part, ids, `${where}.content.${i}`));
      found.check(!isThinking(content.at(-1)), where, 'ends with thinking');
      open = content.filter((part) => part['type'] === 'tool_use').map((part) => part['id']);
    }
  }
  const last = all.at(-1);
  // A turn that the server paused goes on from what it did itself.
  const paused = !['text', 'tool_use'].includes(String(list(last?.['content']).map(object).at(-1)?.['type']));
  found.check(last?.['role'] === 'user' || paused, 'messages', 'end with the assistant');
}

function userPart(found: Findings, part: Json, where: string): void {
  if (part['type'] === 'text') found.text(part['text'], where);
  else if (part['type'] === 'image') image(found, part, where);
  else if (!found.check(part['type'] === 'tool_result', where, `is a ${String(part['type'])}`)) return;
  else if (typeof part['content'] === 'string') found.check(part['content'] !== '', where, 'is empty');
  else {
    found.check(list(part['content']).length > 0, where, 'has no content');
    for (const inner of list(part['content']).map(object)) {
      if (inner['type'] === 'text') found.text(inner['text'], where);
      else image(found, inner, where);
    }
  }
}

function image(found: Findings, part: Json, where: string): void {
  const source = object(part['source']);
  found.check(part['type'] === 'image' && source['type'] === 'base64', where, 'is no image');
  found.image(source['media_type'], source['data'], where);
}

function assistantPart(found: Findings, part: Json, ids: Set<unknown>, where: string): void {
  const marked = 'cache_control' in part;
  switch (part['type']) {
    case 'text':
      found.keys(part, ['type', 'text', 'cache_control'], where);
      return found.text(part['text'], where);
    case 'tool_use':
      found.keys(part, ['type', 'id', 'name', 'input', 'cache_control'], where);
      found.check(toolId.test(String(part['id'])), where, 'has a bad id');
      found.check(!ids.has(part['id']), where, 'has an id that was there before');
      ids.add(part['id']);
      found.check(toolName.test(String(part['name'])), where, 'has a bad name');
      found.check(isObject(part['input']), where, 'has an input that is no object');
      return;
    case 'thinking':
      found.keys(part, ['type', 'thinking', 'signature'], where);
      found.check(typeof part['thinking'] === 'string' && !marked, where, 'is no thinking');
      return found.own(String(part['signature'] ?? ''), where);
    case 'redacted_thinking':
      return found.own(String(part['data'] ?? ''), where);
    default:
      found.check(typeof part['type'] === 'string', where, 'has no type');
      found.own(JSON.stringify(part), where);
  }
}

const isThinking = (part: Json | undefined): boolean =>
  part?.['type'] === 'thinking' || part?.['type'] === 'redacted_thinking';

/** Budgets are for older models, which want thinking at the start of a message that has any. */
function thinkingSetting(found: Findings, body: Json): void {
  const thinking = object(body['thinking']);
  found.check(thinking['type'] !== 'disabled', 'thinking', 'may not be disabled');
  if (thinking['type'] === 'adaptive') return;
  for (const message of list(body['messages']).map(object)) {
    const content = list(message['content']).map(object);
    const has = content.some(isThinking);
    found.check(!has || isThinking(content[0]), 'messages', 'have thinking that does not come first');
  }
  found.check(!('output_config' in body), 'output_config', 'is not known to a model with budgets');
  if (thinking['type'] !== 'enabled') return;
  const tokens = Number(thinking['budget_tokens']);
  found.check(tokens >= 1024 && tokens < Number(body['max_tokens']), 'thinking', 'has a bad budget');
  const [before, last] = list(body['messages']).slice(-2).map(object);
  const answers = list(last?.['content']).map(object)[0]?.['type'] === 'tool_result';
  const first = list(before?.['content']).map(object)[0];
  found.check(!answers || isThinking(first), 'thinking', 'is on, but the last answer did not start with it');
}
