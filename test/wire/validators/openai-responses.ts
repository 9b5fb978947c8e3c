import {
  Findings,
  isObjectText,
  list,
  type Json,
  object,
  toolId,
  toolName,
  type Validator,
} from './findings.ts';

const known =
  'model stream store instructions max_output_tokens prompt_cache_key input tools include reasoning'.split(
    ' ',
  );

/** What `POST /responses` refuses (wire formats, sections 5 and 7). */
export const validateResponses: Validator = (body, options) => {
  const found = new Findings(options);
  found.wellFormed(body);
  found.keys(body, known, 'body');
  found.text(body['model'], 'model');
  found.check(body['store'] === false && body['stream'] === true, 'body', 'is stored, or no stream');
  found.tools(body['tools'], (tool) => ({ name: tool['name'], schema: tool['parameters'] }));
  const reasons = 'reasoning' in body;
  found.check(
    reasons === list(body['include']).includes('reasoning.encrypted_content'),
    'include',
    'does not fit',
  );
  const items = list(body['input']).map(object);
  found.check(items[0] !== undefined && kindOf(items[0]) === 'user', 'input', 'does not start with the user');
  let open: unknown[] = [];
  let answering = false;
  const ids = new Set<unknown>();
  for (const [at, item] of items.entries()) {
    const where = `input.${at}`;
    const kind = kindOf(item);
    if (kind === 'function_call_output') {
      answering = true;
      found.check(open.length > 0 && item['call_id'] === open[0], where, 'answers no call, or out of order');
      open = open.slice(1);
      output(found, item['output'], where);
      continue;
    }
    if (answering || kind === 'user') {
      found.check(open.length === 0, where, 'comes before all calls are answered');
      answering = false;
      open = [];
    }
    if (kind === 'user') user(found, list(item['content']).map(object), where);
    else if (kind === 'assistant') {
      found.keys(item, ['role', 'content', 'phase'], where);
      found.text(item['content'], where);
      if (item['phase'] !== undefined) found.own(String(item['phase']), where);
    } else if (kind === 'function_call') {
      found.keys(item, ['type', 'call_id', 'name', 'arguments'], where);
      found.check(toolId.test(String(item['call_id'])), where, 'has a bad id');
      found.check(!ids.has(item['call_id']), where, 'has an id that was there before');
      ids.add(item['call_id']);
      found.check(toolName.test(String(item['name'])), where, 'has a bad name');
      found.check(isObjectText(item['arguments']), where, 'has arguments that are no object');
      open.push(item['call_id']);
    } else {
      found.check(typeof item['type'] === 'string', where, 'has no type');
      found.own(JSON.stringify(item), where);
      const next = items[at + 1];
      const followed = next !== undefined && !['user', 'function_call_output'].includes(kindOf(next));
      found.check(kind !== 'reasoning' || followed, where, 'reasoning without the item that follows it');
    }
  }
  found.check(open.length === 0, 'input', 'ends before all calls are answered');
  const last = items.at(-1);
  found.check(last !== undefined && kindOf(last) !== 'assistant', 'input', 'ends with the assistant');
  return found.list;
};

function kindOf(item: Json): string {
  return item['type'] === undefined || item['type'] === 'message'
    ? String(item['role'])
    : String(item['type']);
}

function output(found: Findings, value: unknown, where: string): void {
  if (typeof value === 'string') found.check(value !== '', where, 'is empty');
  else user(found, list(value).map(object), where);
}

function user(found: Findings, parts: readonly Json[], where: string): void {
  found.check(parts.length > 0, where, 'is empty');
  for (const part of parts) {
    if (part['type'] === 'input_text') found.text(part['text'], where);
    else if (found.check(part['type'] === 'input_image', where, 'is neither text nor image'))
      found.dataUrl(part['image_url'], where);
  }
}
