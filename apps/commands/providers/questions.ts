import type { Message } from '../../../ports/message.ts';
import type { ModelInfo } from '../../../ports/models.ts';
import type { ModelRequest, ToolSpec } from '../../../ports/provider.ts';

/** What `larik providers test` sends: fixed, so that two runs can be compared. */

/** Output tokens of one answer; models that reason need some room. */
const mostOutput = 4096;

/** The word that is asked for. */
export const word = 'ready';

/** Two numbers and their sum, which no model knows by heart and every tool knows. */
export const numbers = { a: 4127, b: 2785, sum: 6912 };

/** The colour of the picture below. */
export const colour = 'red';

/** A PNG of 64 by 64 pixels in that colour. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEXgEBBZ7e9PAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQoz2NgGAWjgHwAAAJAAAGMxat3AAAAAElFTkSuQmCC';

export const addTool: ToolSpec = {
  name: 'add',
  description: 'Adds two numbers and returns their sum.',
  inputSchema: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'The first number.' },
      b: { type: 'number', description: 'The second number.' },
    },
    required: ['a', 'b'],
  },
};

/** Longer than the shortest beginning that any provider caches: about 6,000 tokens. */
const longText = Array.from(
  { length: 330 },
  (_, at) => `Gauge ${at + 1} is read every morning, and what it shows is written down in its own column.`,
).join('\n');

/** About how many tokens all of it is, answers included. */
export const roughTokens = 14_000;

/** Tokens that the longest of the requests needs. */
export const longestRequest = 8000 + mostOutput;

const user = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });

/** The requests of a checkup, each from what came before it. */
export class Questions {
  readonly #common: Omit<ModelRequest, 'messages'>;

  constructor(model: string, info: ModelInfo, cacheKey: string) {
    this.#common = {
      purpose: 'test',
      model,
      system: 'You help to test a connection. Do what you are asked, in as few words as possible.',
      tools: [],
      maxTokens: Math.min(info.maxOutput, mostOutput),
      ...(info.wantsEffort && { effort: 'low' as const }),
      cacheKey,
    };
  }

  text(): ModelRequest {
    return { ...this.#common, messages: [user(`Answer with the word ${word}.`)] };
  }

  call(): ModelRequest {
    const text = `What is ${numbers.a} plus ${numbers.b}? Find out with the tool ${addTool.name}, then answer with the sum.`;
    return { ...this.#common, tools: [addTool], messages: [user(text)] };
  }

  /** Hands the result of the calls in `answer` back. */
  result(answer: Message): ModelRequest {
    const asked = this.call();
    const results = answer.blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, id: block.id, name: block.name, content: String(numbers.sum) }]
        : [],
    );
    return { ...asked, messages: [...asked.messages, answer, { role: 'user', blocks: results }] };
  }

  image(): ModelRequest {
    const asked = user('What colour is this picture? Answer with the name of the colour.');
    asked.blocks.push({ type: 'image', mediaType: 'image/png', data: picture });
    return { ...this.#common, messages: [asked] };
  }

  /** A request that begins with a long text; with an answer to it, the one that follows. */
  long(answer?: Message): ModelRequest {
    const messages = [user('How often is a gauge read? Answer in one word.')];
    if (answer !== undefined) messages.push(answer, user('And where is it written down?'));
    return { ...this.#common, system: `${this.#common.system}\n\n${longText}`, messages };
  }
}
