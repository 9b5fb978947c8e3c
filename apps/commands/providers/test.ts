import { defaultModelOf } from '../../../adapters/providers/catalog/defaults.ts';
import { jsonText } from '../../../domain/text/json-text.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { ModelInfo, Models } from '../../../ports/models.ts';
import type { Provider } from '../../../ports/provider.ts';
import { UsageError } from '../../command-line/parse.ts';
import type { CommandOutput } from '../command-output.ts';
import { checkUp, type Step } from './checkup.ts';
import { roughTokens } from './questions.ts';

export interface ProviderTestArguments {
  /** The provider, and what stands behind it. */
  operands: readonly string[];
  /** An id of the provider, also with the provider before it; without it the provider's default. */
  model: string | undefined;
  json: boolean;
}

export interface ProviderTestPorts {
  models: Pick<Models, 'resolve' | 'learn'>;
  /** The provider, without another try behind it. Throws `PortError<'provider'>`. */
  provider(name: string): Provider;
  /** Names one run, for the provider's cache. */
  cacheKey: string;
}

/** The model to ask, as `provider/model`. */
async function modelOf(
  name: string,
  model: string | undefined,
  provider: Provider,
  signal: AbortSignal,
): Promise<string> {
  if (model !== undefined) return model.startsWith(`${name}/`) ? model : `${name}/${model}`;
  const known = defaultModelOf(name);
  if (known !== null) return known;
  const [first] = (await provider.listModels?.(signal)) ?? [];
  if (first === undefined)
    throw new UsageError(`${name} names no model of its own; give one with --model ID`);
  return `${name}/${first.id}`;
}

/** What will be sent, before it is. */
function announcement({ ref, prices }: ModelInfo): string {
  const cost = prices === null ? '' : `, about $${((roughTokens * prices.input) / 1_000_000).toFixed(2)}`;
  return `larik sends up to 6 requests to ${oneLine(ref)}: about ${roughTokens.toLocaleString('en')} tokens in all${cost}.\n`;
}

const names = { text: 'text', call: 'tool call', result: 'tool result', image: 'image', cache: 'cache' };

function lines({ part, outcome, expected, came, next, notices }: Step): string {
  const head = `${outcome.padEnd(7)}  ${names[part].padEnd(11)}  `;
  const more = [...notices, ...(next === undefined ? [] : [`next: ${next}`])];
  const indent = ' '.repeat(9);
  return [
    `${head}${outcome === 'skipped' ? '' : `expected ${expected}; came `}${came}\n`,
    ...more.map((text) => `${indent}${oneLine(text)}\n`),
  ].join('');
}

function summary(ref: string, steps: readonly Step[], json: boolean): string {
  const failures = steps.filter(({ outcome }) => outcome === 'failed').length;
  const warnings = steps.filter(({ outcome }) => outcome === 'warning').length;
  if (json) return `${jsonText({ model: ref, ok: failures === 0, steps })}\n`;
  if (failures + warnings === 0) return `${oneLine(ref)} does all that larik needs.\n`;
  return `${oneLine(ref)}: ${failures} failed, ${warnings} to know of.\n`;
}

/**
 * `larik providers test NAME` (spec: cli): what a provider does with each thing that larik needs of it, a
 * line each. Returns the exit code: 0, 1 if something failed. Throws `UsageError`, and `PortError<'provider'>`
 * for a provider that cannot be asked at all.
 */
export async function providersTest(
  { operands, model, json }: ProviderTestArguments,
  { models, provider: make, cacheKey }: ProviderTestPorts,
  io: CommandOutput,
  signal: AbortSignal,
): Promise<number> {
  const [name, ...rest] = operands;
  if (name === undefined || name === '' || rest.length > 0)
    throw new UsageError('larik providers test takes the name of one provider; larik providers lists them');
  const provider = make(name);
  const ref = await modelOf(name, model, provider, signal);
  for (const { text } of (await models.learn?.(ref, signal)) ?? []) io.stderr(`${oneLine(text)}\n`);
  const { info, model: id } = models.resolve(ref);
  io.stderr(announcement(info));
  const steps: Step[] = [];
  for await (const step of checkUp({ provider, model: id, info, cacheKey }, signal)) {
    steps.push(step);
    if (!json) io.stdout(lines(step));
  }
  io.stdout(summary(info.ref, steps, json));
  return steps.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
