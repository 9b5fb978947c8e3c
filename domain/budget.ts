import type { Message, Usage } from '../ports/message.ts';
import type { Prices } from '../ports/models.ts';
import type { ModelRequest, ToolSpec } from '../ports/provider.ts';

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/** USD; null when the price is not known. */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (prices === null) return null;
  const micro =
    usage.input * prices.input +
    usage.output * prices.output +
    usage.cacheRead * prices.cacheRead +
    usage.cacheWrite * prices.cacheWrite;
  return micro / 1_000_000;
}

/** Counts a request into a session's sums; its cost is unknown once one price is. */
export function spend(
  sums: { total: Usage; costUsd: number | null },
  usage: Usage,
  costUsd: number | null,
): void {
  sums.total = addUsage(sums.total, usage);
  sums.costUsd = costUsd === null || sums.costUsd === null ? null : sums.costUsd + costUsd;
}

/** Tokens that the model's context holds after this request. */
export function contextTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** Whether the session may go on to spend. An unknown cost counts as nothing spent, and is told once. */
export function budgetState(
  spentUsd: number | null,
  limitUsd: number | null,
): 'open' | 'unknown' | 'reached' {
  if (limitUsd === null) return 'open';
  if (spentUsd === null) return 'unknown';
  return spentUsd >= limitUsd ? 'reached' : 'open';
}

/** Characters per token, about; only used where a server does not count. */
const charactersPerToken = 3.5;

/** What an image counts as. */
const imageCharacters = 1500 * charactersPerToken;

/** Messages never change, and a long conversation is estimated with every step. */
const measured = new WeakMap<Message, number>();

function characters(message: Message): number {
  const known = measured.get(message);
  if (known !== undefined) return known;
  let sum = 0;
  for (const block of message.blocks) {
    if (block.type === 'text' || block.type === 'thinking') sum += block.text.length;
    else if (block.type === 'tool_result')
      sum += block.content.length + (block.images?.length ?? 0) * imageCharacters;
    else if (block.type === 'tool_use') sum += block.name.length + JSON.stringify(block.input ?? null).length;
    else if (block.type === 'image') sum += imageCharacters;
  }
  measured.set(message, sum);
  return sum;
}

const tokens = (characterCount: number): number => Math.ceil(characterCount / charactersPerToken);

/** About how many tokens a request holds, by part. */
export interface ContextSize {
  system: number;
  tools: number;
  messages: number;
  all: number;
}

/** Estimates what a request holds (spec: agent-loop, "Compaction"). */
export function estimateContext(
  context: { system: string; tools: readonly ToolSpec[] },
  conversation: readonly Message[],
): ContextSize {
  const system = tokens(context.system.length);
  const tools = tokens(JSON.stringify(context.tools).length);
  const messages = estimateTokens(conversation);
  return { system, tools, messages, all: system + tools + messages };
}

/** About how many tokens these messages are. */
export function estimateTokens(conversation: readonly Message[]): number {
  return tokens(conversation.reduce((sum, message) => sum + characters(message), 0));
}

/** Usage of a request whose server reported none. */
export function estimateUsage(request: ModelRequest, answer: Message): Usage {
  return {
    input: estimateContext(request, request.messages).all,
    output: estimateTokens([answer]),
    cacheRead: 0,
    cacheWrite: 0,
  };
}
