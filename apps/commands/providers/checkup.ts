import { nearest } from '../../../adapters/providers/nearest.ts';
import { errorText, isPortError, PortError, type ProviderError } from '../../../ports/errors.ts';
import type { ModelInfo } from '../../../ports/models.ts';
import type { ModelRequest, Provider, ProviderDone } from '../../../ports/provider.ts';
import {
  expected,
  judgeCache,
  judgeCall,
  judgeError,
  judgeImage,
  judgeImageError,
  judgeResult,
  judgeText,
  skipped,
  type Finding,
  type Part,
} from './judge.ts';
import { longestRequest, Questions } from './questions.ts';

/** A model to look at, through a provider that does not try again. */
export interface Patient {
  provider: Provider;
  /** The id that the provider's API takes. */
  model: string;
  info: ModelInfo;
  cacheKey: string;
}

/** One line of a checkup; `notices` are what the provider told on the way. */
export interface Step extends Finding {
  part: Part;
  expected: string;
  notices: string[];
}

type Reply = { done: ProviderDone } | { error: ProviderError };

/** Asks, and takes what goes wrong for an answer too. Rejects only with the signal's reason. */
async function ask(
  { provider }: Patient,
  request: ModelRequest,
  notices: string[],
  signal: AbortSignal,
): Promise<Reply> {
  try {
    for await (const event of provider.stream(request, signal)) {
      if (event.kind === 'notice') notices.push(event.text);
      if (event.kind === 'done') return { done: event };
    }
    return { error: new PortError('provider', 'stream_cut', 'the answer has no end', { retryable: true }) };
  } catch (error) {
    signal.throwIfAborted();
    if (isPortError(error, 'provider')) return { error };
    return { error: new PortError('provider', 'internal', errorText(error), { retryable: false }) };
  }
}

/** Names that the server has and that are close to one that it does not know. */
async function nearNames({ provider, model }: Patient, signal: AbortSignal): Promise<string[]> {
  try {
    const models = (await provider.listModels?.(signal)) ?? [];
    return nearest(
      model,
      models.map(({ id }) => id),
    );
  } catch {
    signal.throwIfAborted();
    return []; // It was only to help.
  }
}

/**
 * Looks at what a model and its server do (spec: cli, `providers test`): a text, a call and its result, a
 * picture, and whether a second request is read from the cache. What needs something that failed before
 * is skipped; after an error in the first part nothing more is sent.
 */
export async function* checkUp(patient: Patient, signal: AbortSignal): AsyncGenerator<Step> {
  const { model, info, cacheKey } = patient;
  const questions = new Questions(model, info, cacheKey);
  let notices: string[] = [];
  const put = (request: ModelRequest): Promise<Reply> => ask(patient, request, notices, signal);
  const step = (part: Part, finding: Finding): Step => {
    const told = notices;
    notices = [];
    return { part, expected: expected[part], notices: told, ...finding };
  };

  const text = await put(questions.text());
  if ('error' in text) {
    const near = text.error.kind === 'not_found' ? await nearNames(patient, signal) : [];
    yield step('text', judgeError(text.error, near));
    for (const part of ['call', 'result', 'image', 'cache'] as const)
      yield step(part, skipped('nothing was sent'));
    return;
  }
  yield step('text', judgeText(text.done));

  const call = await put(questions.call());
  const called = 'error' in call ? judgeError(call.error) : judgeCall(call.done);
  yield step('call', called);
  if ('error' in call || called.outcome === 'failed') {
    yield step('result', skipped('there was no call to answer'));
  } else {
    const result = await put(questions.result(call.done.message));
    yield step('result', 'error' in result ? judgeError(result.error) : judgeResult(result.done));
  }

  const image = await put(questions.image());
  yield step('image', 'error' in image ? judgeImageError(image.error, info) : judgeImage(image.done, info));

  if (info.contextWindow < longestRequest) {
    yield step('cache', skipped(`a window of ${info.contextWindow} tokens is too small for it`));
    return;
  }
  const first = await put(questions.long());
  if ('error' in first) return yield step('cache', judgeError(first.error));
  const second = await put(questions.long(first.done.message));
  yield step(
    'cache',
    'error' in second ? judgeError(second.error) : judgeCache(first.done, second.done, info),
  );
}
