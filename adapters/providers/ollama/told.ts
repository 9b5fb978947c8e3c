// What an Ollama's user is told: what to do about an error, and that a conversation was cut.
import { PortError, type ProviderError } from '../../../ports/errors.ts';
import type { ModelRequest, ProviderNotice } from '../../../ports/provider.ts';
import { isModelName } from './served.ts';

/** The error with what to do about it where this server needs something of its own. */
export function withOwnRemedy(error: ProviderError, remedies: RemedyContext): ProviderError {
  const remedy = remedyOf(error, remedies);
  if (remedy === null) return error;
  return new PortError('provider', error.kind, error.message, { ...error.facts, remedy });
}

interface RemedyContext {
  /** The configured provider's name. */
  provider: string;
  model: string;
  baseUrl: string;
}

function remedyOf(error: ProviderError, { provider, model, baseUrl }: RemedyContext): string | null {
  const setting = `providers.${provider}.base_url`;
  const otherModel = 'choose another with --model';
  if (error.facts.unreachable && /nothing answers/.test(error.message)) {
    return `Start it with: ollama serve. If it runs elsewhere, set OLLAMA_HOST or ${setting} (now ${new URL(baseUrl).origin}).`;
  }
  switch (error.kind) {
    case 'not_found':
      if (!/\bmodel\b/i.test(error.message) || !isModelName(model)) return null;
      return `Get it with: ollama pull ${model}, or ${otherModel} (ollama list shows what is there).`;
    case 'unsupported':
      if (!/\btools?\b/i.test(error.message)) return null;
      return (
        `This model cannot call tools, which larik needs: ${otherModel} (ollama show NAME lists "tools" for those that can). ` +
        `Only to talk with it, set models."${provider}/${model}".tools to false.`
      );
    case 'auth':
      return `Sign in with: ollama signin, or set a key with providers.${provider}.api_key_env.`;
    case 'server':
      if (!/memory/i.test(error.message)) return null;
      return `It does not fit into the memory: ${otherModel} that is smaller, or ask for less with models."${provider}/${model}".context_window.`;
    default:
      return null;
  }
}

/** A token has fewer characters than this in any text that a project holds, runs of one character apart. */
const mostCharactersPerToken = 6;

/** Indentation, ruled lines and the blanks of tables: a whole run may be one token. */
const run = /([^\p{L}\p{N}])\1+/gu;

/** A prompt that was cut fills the window about; whole messages go, so it may be somewhat less. */
const fullShare = 0.75;

/** No server loads a model with a smaller window. */
const smallestWindow = 1024;

/** The fewest tokens that the server can have been sent. What it may leave out of the prompt is not counted. */
export function fewestTokens({ system, messages }: ModelRequest): number {
  const lengthOf = (text: string) => text.replace(run, '$1').length;
  let characters = lengthOf(system);
  for (const block of messages.flatMap((message) => message.blocks)) {
    if (block.type === 'text') characters += lengthOf(block.text);
    else if (block.type === 'tool_result') characters += lengthOf(block.content);
    else if (block.type === 'tool_use') characters += lengthOf(JSON.stringify(block.input ?? {}));
  }
  return Math.floor(characters / mostCharactersPerToken);
}

/**
 * Whether the server has cut a conversation of at least `sent` tokens of which it reports `prompt`. A small
 * number alone says nothing: older servers leave out of it what they had cached.
 */
export function isCut(sent: number, prompt: number, window: number): boolean {
  return sent > prompt && (sent > window || prompt >= window * fullShare);
}

/** Whether it may have cut it, by the window that was asked for: it may have loaded a smaller one. */
export function mayBeCut(sent: number, prompt: number, asked: number): boolean {
  // None is reported of a prompt that was cached as a whole.
  return sent > prompt && prompt > 0 && (sent > asked || prompt >= smallestWindow * fullShare);
}

export function cutNotice(sent: number, prompt: number, window: number, help: string): ProviderNotice {
  const number = (value: number) => value.toLocaleString('en-US');
  const text =
    `The server has cut the conversation: the model was given ${number(prompt)} of at least ${number(sent)} tokens, ` +
    `since it is loaded with a window of ${number(window)}. ${help}`;
  return { kind: 'notice', level: 'warning', code: 'window_truncated', text };
}
