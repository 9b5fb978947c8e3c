import { withinTime } from '../http/time-limit.ts';
import { askJson, type ProviderOptions } from '../http/protocol-provider.ts';
import { noKey } from '../keys.ts';

/** Milliseconds that a server may take to say what it knows. */
const answerMs = 2000;

/** What a server of the user's own is asked, beside the conversation. */
export interface ServerQuestion {
  path: string;
  body?: unknown;
  model: string;
  signal: AbortSignal;
}

/** The JSON that a server answers with, within 2 seconds. Throws as `stream` does. */
export async function askServer(
  options: ProviderOptions,
  question: ServerQuestion,
): Promise<Record<string, unknown>> {
  const { path, body, model, signal } = question;
  const limit = { clock: options.clock, ms: answerMs, signal, what: `${options.name}: ${path}` };
  return await withinTime(limit, async (inner) => {
    const headers = await bearer(options);
    return await askJson(options, path, {
      signal: inner,
      headers,
      model,
      ...(body !== undefined && { body }),
    });
  });
}

/** The same, and null where nothing useful comes. Throws the signal's reason only. */
export async function askIfAble(
  options: ProviderOptions,
  question: ServerQuestion,
): Promise<Record<string, unknown> | null> {
  try {
    return await askServer(options, question);
  } catch {
    question.signal.throwIfAborted();
    return null;
  }
}

/** The header that carries the key, where there is one. */
export async function bearer({ key }: ProviderOptions): Promise<Record<string, string>> {
  const text = await key.get();
  return text === noKey ? {} : { authorization: `Bearer ${text}` };
}
