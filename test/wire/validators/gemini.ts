import { Findings, isObject, list, type Json, object, toolName, type Validator } from './findings.ts';

const bypass = 'skip_thought_signature_validator';
const known = ['contents', 'systemInstruction', 'tools', 'generationConfig', 'toolConfig'];

/** Gemini 3 and later want a signature on the first call of each content. */
const signs = (model: string): boolean => !/gemini-(1|2)/.test(model);

/** What `:streamGenerateContent` refuses (wire formats, sections 5 and 8). The model stands in the address, not in the body. */
export function validateGemini(model: string): Validator {
  return (body, options) => {
    const found = new Findings(options);
    found.wellFormed(body);
    found.keys(body, known, 'body');
    for (const part of list(object(body['systemInstruction'])['parts']))
      found.text(object(part)['text'], 'system');
    found.tools(
      body['tools'] && list(body['tools']).flatMap((tool) => list(object(tool)['functionDeclarations'])),
      (tool) => ({ name: tool['name'], schema: tool['parametersJsonSchema'] }),
    );
    const thinking = object(object(body['generationConfig'])['thinkingConfig']);
    found.check(!('thinkingLevel' in thinking && 'thinkingBudget' in thinking), 'thinkingConfig', 'has both');
    const all = list(body['contents']).map(object);
    let open: Json[] = [];
    for (const [at, content] of all.entries()) {
      const where = `contents.${at}`;
      const parts = list(content['parts']).map(object);
      found.check(content['role'] === (at % 2 === 0 ? 'user' : 'model'), where, 'roles do not alternate');
      found.check(parts.length > 0, where, 'has no parts');
      if (content['role'] === 'user') {
        user(found, parts, open, where);
        open = [];
      } else open = modelContent(found, parts, signs(model), where);
    }
    found.check(open.length === 0 && all.at(-1)?.['role'] === 'user', 'contents', 'do not end with the user');
    return found.list;
  };
}

function user(found: Findings, parts: readonly Json[], open: readonly Json[], where: string): void {
  const responses = parts.filter((part) => 'functionResponse' in part);
  found.check(responses.length === open.length, where, 'does not answer each call once');
  for (const [at, part] of parts.entries()) {
    if ('text' in part) {
      found.keys(part, ['text'], where);
      found.text(part['text'], where);
    } else if ('inlineData' in part) inlineData(found, part, where);
    else if (found.check('functionResponse' in part, where, 'holds an unknown part')) {
      const response = object(part['functionResponse']);
      const call = open[at];
      const fits = call !== undefined && response['name'] === call['name'] && response['id'] === call['id'];
      found.check(fits, where, 'results do not come first, in the order of the calls');
      const value = object(response['response']);
      // What a command printed may be blank; a text beside it may not.
      const said = value['output'] ?? value['error'];
      found.check(typeof said === 'string' && said !== '', where, 'is a result without a text');
      for (const image of list(response['parts'])) inlineData(found, object(image), where);
    }
  }
}

function inlineData(found: Findings, part: Json, where: string): void {
  const { mimeType, data } = object(part['inlineData']);
  found.image(mimeType, data, where);
}

/** The calls that must be answered next. */
function modelContent(found: Findings, parts: readonly Json[], mustSign: boolean, where: string): Json[] {
  const calls: Json[] = [];
  for (const part of parts) {
    const signature = part['thoughtSignature'];
    if ('functionCall' in part) {
      const call = object(part['functionCall']);
      const missing = mustSign && calls.length === 0 && signature === undefined;
      found.check(!missing, where, 'the first call is missing a thought_signature');
      if (signature === bypass) found.check(calls.length === 0, where, 'a bypass on a later call');
      else if (signature !== undefined) found.own(String(signature), where);
      found.check(toolName.test(String(call['name'])), where, 'has a bad name');
      found.check(isObject(call['args']), where, 'has arguments that are no object');
      found.check(!String(call['id'] ?? '').startsWith('lk_'), where, 'has an id that was made up');
      calls.push(call);
    } else {
      if (signature !== undefined) found.own(String(signature), where);
      if (part['thought'] === true)
        found.check(signature !== undefined, where, 'a thought without signature');
      if ('inlineData' in part) inlineData(found, part, where);
      else if ('text' in part && signature === undefined) found.text(part['text'], where);
      else if (!('text' in part)) found.own(JSON.stringify(part), where);
    }
  }
  found.check(
    parts.some((part) => part['thought'] !== true),
    where,
    'holds thoughts only',
  );
  return calls;
}
