import { Findings, isObject, type Json, list, object, toolName, type Validator } from './findings.ts';

const known = 'model messages stream tools think truncate shift options keep_alive'.split(' ');

/** What `POST /api/chat` refuses, or would silently lose (wire formats, sections 5 and 9). */
export const validateOllama: Validator = (body, options) => {
  const found = new Findings(options);
  found.wellFormed(body);
  found.keys(body, known, 'body');
  found.text(body['model'], 'model');
  found.check(
    body['truncate'] === false && body['shift'] === false,
    'body',
    'lets the server cut the conversation',
  );
  found.check(Number(object(body['options'])['num_ctx']) > 0, 'options', 'hold no num_ctx');
  found.tools(body['tools'], (tool) => {
    const { name, parameters } = object(tool['function']);
    return { name, schema: parameters };
  });
  let open: Json[] = [];
  let before = 'system';
  for (const [at, message] of list(body['messages']).map(object).entries()) {
    const where = `messages.${at}`;
    const role = String(message['role']);
    found.check(typeof message['content'] === 'string', where, 'has content that is no string');
    if (role === 'tool') {
      const [call] = open;
      const fits =
        message['tool_call_id'] === call?.['id'] &&
        message['tool_name'] === object(call?.['function'])['name'];
      found.check(call !== undefined && fits, where, 'answers no call, or out of order');
      open = open.slice(1);
      found.check(message['content'] !== '', where, 'is empty');
    } else {
      found.check(open.length === 0, where, 'comes before all calls are answered');
      open = role === 'assistant' ? assistant(found, message, where) : [];
      if (role === 'user') user(found, message, where);
      found.check(role !== 'system' || at === 0, where, 'is not first');
      found.check(['system', 'user', 'assistant'].includes(role), where, `has the role ${role}`);
      const follows = role === 'assistant' ? ['user', 'tool'] : ['system', 'assistant', 'tool'];
      found.check(role === 'system' || follows.includes(before), where, 'roles do not alternate');
    }
    before = role;
  }
  found.check(open.length === 0, 'messages', 'end before all calls are answered');
  found.check(['user', 'tool'].includes(before), 'messages', 'end with the assistant');
  return found.list;
};

function user(found: Findings, message: Json, where: string): void {
  const images = list(message['images']);
  if (images.length === 0) found.text(message['content'], where);
  for (const image of images) found.image('image/png', image, where);
}

/** The calls that must be answered next. */
function assistant(found: Findings, message: Json, where: string): Json[] {
  const calls = list(message['tool_calls']).map(object);
  found.check(calls.length > 0 || String(message['content']).trim() !== '', where, 'is empty');
  if (message['thinking'] !== undefined) found.own(String(message['thinking']), where);
  for (const call of calls) {
    const { name, arguments: input } = object(call['function']);
    found.check(toolName.test(String(name)), where, 'has a bad name');
    found.check(isObject(input), where, 'has arguments that are no object');
  }
  return calls;
}
