import { writesCallAsText } from '../../../domain/conversation/text-call.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { ProviderError } from '../../../ports/errors.ts';
import type { Message, ToolUseBlock, Usage } from '../../../ports/message.ts';
import type { ModelInfo } from '../../../ports/models.ts';
import type { ProviderDone } from '../../../ports/provider.ts';
import { addTool, colour, numbers, word } from './questions.ts';

/** What one part of a checkup came to. `next`: what to do about it. */
export interface Finding {
  outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  came: string;
  next?: string;
}

/** What was asked for, in words, by the name of the part. */
export const expected = {
  text: `the word ${word}, an end, and usage`,
  call: `a call of the tool ${addTool.name} with two numbers`,
  result: `an answer with the sum from the tool, ${numbers.sum}`,
  image: `the colour of a picture, ${colour}`,
  cache: 'a second request read from the cache for the most part',
} as const;

export type Part = keyof typeof expected;

/** Characters of an answer that are shown. */
const shownCharacters = 80;

export function textOf(message: Message): string {
  return message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

const callsOf = (message: Message): ToolUseBlock[] =>
  message.blocks.filter((block): block is ToolUseBlock => block.type === 'tool_use');

function quoted(text: string): string {
  const line = oneLine(text.trim());
  return `"${line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line}"`;
}

const ok = (came: string): Finding => ({ outcome: 'ok', came });
const warning = (came: string, next: string): Finding => ({ outcome: 'warning', came, next });
const failed = (came: string, next: string): Finding => ({ outcome: 'failed', came, next });

export const skipped = (why: string): Finding => ({ outcome: 'skipped', came: why });

/** An answer that did not come. `near`: names of models that the server has and that may have been meant. */
export function judgeError(error: ProviderError, near: readonly string[] = []): Finding {
  const meant = near.length === 0 ? null : `Did you mean --model ${near.join(' or --model ')}?`;
  return failed(
    `an error: ${oneLine(error.message)} (${error.kind})`,
    oneLine(meant ?? error.facts.remedy ?? 'larik doctor checks the settings.'),
  );
}

const says = ({ input, output, cacheRead, cacheWrite }: Usage): string =>
  `${input + cacheRead + cacheWrite} tokens in, ${output} out`;

const serverLog = "Look at the server's log, and whether it has a chat template for this model.";

export function judgeText({ message, usage, stopReason }: ProviderDone): Finding {
  const text = textOf(message);
  if (text.trim() === '') return failed(`an answer without text (${stopReason})`, serverLog);
  const came = quoted(text);
  if (stopReason !== 'end_turn') {
    const next = 'A model that reasons for long needs a larger max_output in the settings.';
    return warning(`${came}, ended by ${stopReason}`, next);
  }
  if (usage === null) {
    const next = 'Tokens and costs are estimated; a newer version of the server may report them.';
    return warning(`${came}, and no usage`, next);
  }
  return ok(`${came}, ${says(usage)}`);
}

function isNumbers(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const { a, b } = input as Record<string, unknown>;
  return typeof a === 'number' && typeof b === 'number' && a + b === numbers.sum;
}

export function judgeCall({ message, stopReason }: ProviderDone): Finding {
  const [call] = callsOf(message);
  const text = textOf(message);
  if (call === undefined && writesCallAsText(text, [addTool])) {
    return failed(
      `a call written as text: ${quoted(text)}`,
      'The server does not turn calls of this model into real ones: start llama.cpp with --jinja, vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model; or take a model that was made for tools.',
    );
  }
  if (call === undefined) {
    const came = text.trim() === '' ? `nothing (${stopReason})` : `no call but ${quoted(text)}`;
    return failed(
      came,
      'The model or its server ignores tools, so larik can do nothing with it: take another model.',
    );
  }
  if (call.input === null) {
    const raw = quoted(call.rawInput ?? '');
    return failed(`a call whose arguments are no JSON: ${raw}`, 'Take a model that was made for tools.');
  }
  const input = `${oneLine(call.name)}(${quoted(JSON.stringify(call.input) ?? '').slice(1, -1)})`;
  if (call.name !== addTool.name)
    return failed(`a call of another tool: ${input}`, 'Take a model that was made for tools.');
  return isNumbers(call.input)
    ? ok(input)
    : warning(
        `other arguments: ${input}`,
        'Expect failed calls: the model does not keep to the form of a tool.',
      );
}

export function judgeResult({ message, stopReason }: ProviderDone): Finding {
  const text = textOf(message);
  if (text.replace(/[\s,.'’_]/g, '').includes(String(numbers.sum))) return ok(quoted(text));
  if (text.trim() !== '') {
    return warning(`another answer: ${quoted(text)}`, 'Expect that the model overlooks what tools return.');
  }
  const came =
    callsOf(message).length > 0 ? 'one more call in place of an answer' : `nothing (${stopReason})`;
  return failed(
    came,
    'The model or its server loses the results of tools: take another model, or look at its template.',
  );
}

const sayImages = ({ ref }: ModelInfo, value: boolean): string =>
  `larik config set 'models."${ref}".images' ${value}`;

export function judgeImage({ message }: ProviderDone, info: ModelInfo): Finding {
  const text = textOf(message);
  if (!new RegExp(colour, 'i').test(text)) {
    const next = info.images
      ? `If the model sees no pictures, say so: ${sayImages(info, false)}`
      : 'As larik takes it, the model sees no pictures.';
    return warning(text.trim() === '' ? 'an answer without text' : `another answer: ${quoted(text)}`, next);
  }
  if (info.images) return ok(quoted(text));
  return warning(`${quoted(text)}, though larik takes it that the model sees none`, sayImages(info, true));
}

/** A picture that was refused is no fault of a model that is known to see none. */
export function judgeImageError(error: ProviderError, info: ModelInfo): Finding {
  const finding = judgeError(error);
  if (!['invalid_request', 'unsupported', 'request_too_large', 'server'].includes(error.kind)) return finding;
  if (!info.images) return ok('a refusal, as is expected of a model that sees no pictures');
  return { ...finding, next: `If the model sees no pictures, say so: ${sayImages(info, false)}` };
}

export function judgeCache(first: ProviderDone, second: ProviderDone, info: ModelInfo): Finding {
  const { usage } = second;
  if (usage === null) return ok('no usage, so nothing can be said of a cache');
  const { input, cacheRead, cacheWrite } = usage;
  const all = input + cacheRead + cacheWrite;
  if (cacheRead > 0) return ok(`${cacheRead} of ${all} tokens came from the cache`);
  const written = (first.usage?.cacheWrite ?? 0) + cacheWrite;
  const { prices } = info;
  const isCheaper = prices !== null && prices.cacheRead < prices.input;
  if (!isCheaper && written === 0) return ok('the server reports no cache counts, so nothing can be said');
  return warning(
    `nothing of ${all} tokens came from the cache`,
    'Try again in a minute: some providers cache only now and then. If it stays so, every step of a long session costs the full price.',
  );
}
