import { expect } from 'vitest';
import { isPortError } from '../../ports/errors.ts';
import type { Message } from '../../ports/message.ts';
import type { ModelRequest, Provider, ProviderDelta, ProviderDone } from '../../ports/provider.ts';
import type { Expectation } from './fixture-server.ts';

export interface Outcome {
  deltas: ProviderDelta[];
  done: ProviderDone | null;
  error: unknown;
}

/** What a provider yields and throws for a plain question. */
export async function outcomeOf(provider: Provider, model: string): Promise<Outcome> {
  const outcome: Outcome = { deltas: [], done: null, error: null };
  try {
    for await (const event of provider.stream(question(model), new AbortController().signal)) {
      expect(outcome.done, 'nothing comes after done').toBeNull();
      if (event.kind === 'done') outcome.done = event;
      else if (event.kind !== 'notice') outcome.deltas.push(event);
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

export function question(model: string): ModelRequest {
  return {
    model,
    system: '',
    messages: [{ role: 'user', blocks: [{ type: 'text', text: 'x' }] }],
    tools: [],
    maxTokens: 1000,
    cacheKey: 'c',
  };
}

/** Joins neighbouring deltas of one kind (and one call), as expectations have them. */
export function coalesced(deltas: readonly ProviderDelta[]): ProviderDelta[] {
  const joined: ProviderDelta[] = [];
  for (const delta of deltas) {
    const last = joined.at(-1);
    if (last && delta.kind === 'tool_input' && last.kind === 'tool_input' && last.index === delta.index) {
      last.json += delta.json;
    } else if (last && (delta.kind === 'text' || delta.kind === 'thinking') && last.kind === delta.kind) {
      last.text += delta.text;
    } else joined.push({ ...delta });
  }
  return joined;
}

/** Compares as section 1 of the wire formats says. */
export function compare(outcome: Outcome, expected: Expectation): void {
  expect(withKnownIds(coalesced(outcome.deltas), expected.deltas)).toEqual(expected.deltas);
  for (const delta of outcome.deltas)
    expect('text' in delta ? delta.text : 'json' in delta ? delta.json : 'x').not.toBe('');
  if (expected.error) {
    const { error } = outcome;
    if (!isPortError(error, 'provider')) throw new Error(`no provider error: ${String(error)}`);
    const { kind, retryable, status, retryAfterMs } = expected.error;
    expect({ kind: error.kind, retryable: error.facts.retryable }).toEqual({ kind, retryable });
    if (status !== undefined) expect(error.facts.status).toBe(status);
    if (retryAfterMs !== undefined) expect(error.facts.retryAfterMs).toBe(retryAfterMs);
    expect(outcome.done).toBeNull();
    return;
  }
  expect(outcome.error).toBeNull();
  const done = outcome.done!;
  expect(withSynthetic(done.message, expected.message!)).toEqual(expected.message);
  expect(inputsOf(done.message)).toEqual(inputsOf(expected.message!));
  expect({ usage: done.usage, stopReason: done.stopReason }).toEqual({
    usage: expected.usage,
    stopReason: expected.stopReason,
  });
}

/** The ids of starts are compared only where the expectation has one. */
function withKnownIds(deltas: ProviderDelta[], expected: readonly ProviderDelta[]): ProviderDelta[] {
  return deltas.map((delta, i) => {
    const other = expected[i];
    if (delta.kind !== 'tool_start' || other?.kind !== 'tool_start' || other.id !== undefined) return delta;
    const { id: _, ...rest } = delta;
    return rest;
  });
}

/** Puts the placeholder in for ids that the adapter made up, after a look at their form. */
function withSynthetic(message: Message, expected: Message): Message {
  const seen = new Set<string>();
  const blocks = message.blocks.map((block, i) => {
    const other = expected.blocks[i];
    if (block.type !== 'tool_use' || other?.type !== 'tool_use') return block;
    expect(seen.has(block.id), 'ids differ').toBe(false);
    seen.add(block.id);
    if (!/^<synthetic:\d+>$/.test(other.id)) return block;
    expect(block.id).toMatch(/^lk_[0-9a-f]{16}$/);
    return { ...block, id: other.id };
  });
  return { ...message, blocks };
}

/** As text, so that the order of the keys counts. */
function inputsOf(message: Message): string[] {
  return message.blocks.map((block) => (block.type === 'tool_use' ? JSON.stringify(block.input) : ''));
}
