import type { Message, Usage } from '../ports/message.ts';
import type { Prices, PriceTier } from '../ports/models.ts';
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

/** USD; null when the price is not known. Cache reads and writes have prices of their own, and so have long prompts. */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (prices === null) return null;
  const price = tierOf(prices, usage.input + usage.cacheRead + usage.cacheWrite);
  const micro =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite * price.cacheWrite;
  return micro / 1_000_000;
}

function tierOf(prices: Prices, promptTokens: number): PriceTier {
  return prices.above?.findLast((tier) => promptTokens > tier.promptTokens) ?? prices;
}

/** What a session has used. USD. */
export interface Spent {
  total: Usage;
  /** Null once one price was not known. */
  costUsd: number | null;
  /** What the requests cost whose prices were known: at least this much is spent. */
  pricedUsd: number;
}

/** Counts a request into a session's sums; their cost is unknown once one price is. */
export function spend(sums: Spent, usage: Usage, costUsd: number | null): void {
  sums.total = addUsage(sums.total, usage);
  sums.costUsd = costUsd === null || sums.costUsd === null ? null : sums.costUsd + costUsd;
  sums.pricedUsd += costUsd ?? 0;
}

/** Tokens that the model's context holds after this request. */
export function contextTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** How much of a budget may be spent before the user hears of it. */
const nearlySpent = 0.8;

/** Whether the session may go on to spend. An unknown cost counts as nothing spent. */
export function budgetState(
  { pricedUsd }: Pick<Spent, 'pricedUsd'>,
  limitUsd: number | null,
): 'open' | 'near' | 'reached' {
  if (limitUsd === null) return 'open';
  if (pricedUsd >= limitUsd) return 'reached';
  return pricedUsd >= limitUsd * nearlySpent ? 'near' : 'open';
}

/** An amount for people: cents, and more of a small one. */
export function usd(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
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
