import { expect, it } from 'vitest';
import { classify } from '../../../../adapters/providers/errors/classify.ts';
import { placed, type Position } from '../../../../adapters/providers/errors/position.ts';

const context = {
  provider: 'p',
  endpoint: new URL('https://api.test/v1'),
  model: 'm',
  keyHint: '',
  secrets: [],
  now: 0,
};

/** The place that is read out of a refusal; null if none is. */
function placeIn(error: Record<string, unknown>): Position | null {
  let found: Position | null = null;
  placed(classify({ status: 400, body: { error } }, context), (position) => {
    found = position;
    return null;
  });
  return found;
}

it.each([
  ["Invalid 'input[3].content[1].image_url'. Expected a base64-encoded data URL.", { message: 3, part: 1 }],
  ["Invalid type for 'input[12].arguments': expected a string, but got null instead.", { message: 12 }],
  ["Missing required parameter: 'input[2].output[0].text'.", { message: 2, part: 0 }],
  ["Invalid 'input[0].call_id': string too long.", { message: 0 }],
  ['1 validation error: {"loc":["body","input",4,"content",2]}', { message: 4, part: 2 }],
  ['messages.1.content.0.tool_use.input[3]: odd', { message: 1, part: 0 }],
  ['messages[2].tool_calls[1].function.arguments: odd', { message: 2, call: 1 }],
  ["Invalid schema: 'tools[0].parameters.properties.input[3]'", null],
  ['The input is too odd: 3 of it', null],
])('the place that a server names is read out of its words: %s', (message, expected) => {
  expect(placeIn({ message })).toEqual(expected);
});

it('is read out of the field beside the words, where those say nothing of it', () => {
  expect(placeIn({ message: 'No good.', param: 'input[3].content[1].image_url' })).toEqual({
    message: 3,
    part: 1,
  });
  expect(placeIn({ message: 'No good.', param: 'reasoning.effort' })).toBeNull();
  expect(placeIn({ message: 'No good.', param: { input: 3 } })).toBeNull();
  const { message } = classify(
    { status: 400, body: { error: { message: "'input[3]' is odd", param: 'input[3]' } } },
    context,
  );
  expect(message).toBe("p (api.test, HTTP 400): 'input[3]' is odd");
});
