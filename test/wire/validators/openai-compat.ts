import {
  Findings,
  isObjectText,
  type Json,
  list,
  object,
  same,
  toolId,
  toolName,
  type Validator,
} from './findings.ts';

const known =
  'model stream stream_options messages max_tokens tools reasoning reasoning_effort thinking'.split(' ');

/** What `POST /chat/completions` of a strict server refuses (wire formats, sections 5 and 10). */
export const validateChat: Validator = (body, options) => {
  const found = new Findings(options);
  found.wellFormed(body);
  found.keys(body, known, 'body');
  found.text(body['model'], 'model');
  found.tools(body['tools'], (tool) => {
    const { name, parameters } = object(tool['function']);
    found.check(!('strict' in object(tool['function'])), 'tools', 'hold strict');
    return { name, schema: parameters };
  });
  const all = list(body['messages']).map(object);
  let open: unknown[] = [];
  let before = 'system';
  found.check(firstRole(all) === 'user', 'messages', 'do not start with the user');
  for (const [at, message] of all.entries()) {
    const where = `messages.${at}`;
    const role = String(message['role']);
    if (role === 'tool') {
      found.check(
        open.length > 0 && message['tool_call_id'] === open[0],
        where,
        'answers no call, or out of order',
      );
      open = open.slice(1);
      found.check(contentText(message) !== '', where, 'is empty');
    } else {
      found.check(open.length === 0, where, 'comes before all calls are answered');
      open = [];
      if (role === 'system') found.check(at === 0, where, 'is not first');
      else if (role === 'user') user(found, message, where);
      else if (role === 'assistant') open = assistant(found, message, where);
      else found.check(false, where, `has the role ${role}`);
      const follows =
        role === 'assistant'
          ? ['user', 'tool']
          : role === 'user'
            ? ['system', 'assistant', 'tool']
            : ['system'];
      found.check(follows.includes(before), where, `a message of ${role} after one of ${before}`);
    }
    before = role;
  }
  found.check(open.length === 0, 'messages', 'end before all calls are answered');
  found.check(['user', 'tool'].includes(before), 'messages', 'end with the assistant');
  return found.list;
};

function firstRole(all: readonly Json[]): unknown {
  return all.find((message) => message['role'] !== 'system')?.['role'];
}

function contentText(message: Json): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => String(object(part)['text'] ?? ''))
    .join('');
}

function user(found: Findings, message: Json, where: string): void {
  const { content } = message;
  if (typeof content === 'string') return found.text(content, where);
  found.check(list(content).length > 0, where, 'is empty');
  for (const part of list(content).map(object)) {
    if (part['type'] === 'text') found.text(part['text'], where);
    else if (found.check(part['type'] === 'image_url', where, 'is neither text nor image'))
      found.dataUrl(object(part['image_url'])['url'], where);
  }
}

/** The ids that must be answered next. */
function assistant(found: Findings, message: Json, where: string): unknown[] {
  const { content } = message;
  const calls = list(message['tool_calls']).map(object);
  found.check(typeof content === 'string', where, 'has content that is no string');
  found.check(!('tool_calls' in message) || calls.length > 0, where, 'has no calls in tool_calls');
  found.check(calls.length > 0 || (typeof content === 'string' && content.trim() !== ''), where, 'is empty');
  for (const key of ['reasoning', 'reasoning_content']) {
    // An empty one says that there was none, where a server insists on the field.
    if (message[key] !== undefined && message[key] !== '') found.own(String(message[key]), `${where}.${key}`);
  }
  for (const detail of list(message['reasoning_details'])) found.own(JSON.stringify(detail), where);
  const ids = calls.map((call) => call['id']);
  found.check(same([...new Set(ids)], ids), where, 'has an id twice');
  for (const call of calls) {
    const { name, arguments: text } = object(call['function']);
    found.check(call['type'] === 'function', where, 'has a call without a type');
    found.check(toolId.test(String(call['id'])), where, 'has a bad id');
    found.check(toolName.test(String(name)), where, 'has a bad name');
    found.check(isObjectText(text), where, 'has arguments that are no object');
  }
  return ids;
}
