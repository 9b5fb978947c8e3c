import { type ErrorKinds, PortError, type ProviderError } from '../ports/errors.ts';
import type { AgentEvent } from '../ports/event.ts';
import type { Models, ResolvedModel } from '../ports/models.ts';
import { learnModel } from './local-model.ts';
import type { Run } from './scope.ts';
import { oneLine } from './text/one-line.ts';

/** A request that failed. `shown`: something of its answer was to be seen by then. */
export interface Failed {
  kind: 'failed';
  error: ProviderError;
  shown: boolean;
}

/** What is the matter with a model or its server, and not with what was asked. */
const mendable: readonly ErrorKinds['provider'][] = [
  'auth',
  'permission',
  'quota',
  'rate_limit',
  'overloaded',
  'server',
  'stream_cut',
  'bad_generation',
  'unsupported',
  'not_found',
  'stalled',
];

/** Whether another model may well answer what this error kept from being answered. */
function anotherMayAnswer({ kind, facts }: ProviderError): boolean {
  return mendable.includes(kind) || (kind === 'invalid_request' && facts.retryable);
}

function chainOf(models: Models, ref: string): ResolvedModel[] {
  return models.chain?.(ref) ?? [models.resolve(ref)];
}

/**
 * The model that the next request goes to: the session's own (or `ref`), or where that rests, a fallback.
 * Throws `PortError<'provider'>` as `Models.resolve` does.
 */
export function nextModel({ ports, state }: Pick<Run, 'ports' | 'state'>, ref?: string): ResolvedModel {
  const [first] = chainOf(ports.models, ref ?? state.settings.model);
  return first ?? ports.models.resolve(ref ?? state.settings.model);
}

/**
 * The full name of a model that is to be a session's. One that cannot be used, such as for want of a key,
 * will do where it has fallbacks; else this throws `PortError<'provider'>`.
 */
export function modelNamed(models: Models, name: string): string {
  try {
    return models.resolve(name).info.ref;
  } catch (error) {
    const [first] = models.chain?.(name) ?? [];
    if (first === undefined) throw error;
    return first.info.ref;
  }
}

/** Tells once when the session's requests go to another model than before. */
function* changeTo(run: Run, { info: { ref } }: ResolvedModel): Generator<AgentEvent, void> {
  const { state } = run;
  // What the user changed meanwhile is heard of first: each change goes on from the last.
  yield* state.pending.splice(0);
  const { model: own, effort = null } = state.settings;
  const from = state.fallback ?? own;
  if (ref === from) return;
  state.fallback = ref === own ? null : ref;
  yield { type: 'model_changed', model: ref, effort, from };
}

/** Characters of an error's text that stand beside others. */
const reasonShown = 200;

function reasonOf({ message }: ProviderError): string {
  const line = oneLine(message.trim());
  return line.length > reasonShown ? `${line.slice(0, reasonShown - 1)}…` : line;
}

function minutes(ms: number): string {
  const count = Math.max(1, Math.round(ms / 60_000));
  return count === 1 ? '1 minute' : `${count} minutes`;
}

/** The last error, and why those that were asked before did not answer. */
function withEarlier(last: ProviderError, earlier: ReadonlyMap<string, ProviderError>): ProviderError {
  if (earlier.size === 0) return last;
  const others = [...earlier].map(([ref, error]) => `${ref} (${reasonOf(error)})`);
  const text = `${last.message}\nAsked before it, in vain: ${others.join('; ')}`;
  return new PortError('provider', last.kind, text, last.facts);
}

/**
 * Asks a model and, where it fails before it has shown anything, its fallbacks in order (spec: providers,
 * "Choosing"). Each that failed rests for a while, which is told. What no other model can mend is not
 * tried with others. Where the user has chosen another model meanwhile, that one is next. Of several errors
 * the last comes out, with the others in its text.
 */
export async function* askInOrder<T extends { kind: string }>(
  run: Run,
  ref: string,
  ask: (model: ResolvedModel) => AsyncGenerator<AgentEvent, T | Failed>,
): AsyncGenerator<AgentEvent, T | Failed> {
  const { models } = run.ports;
  const isSessions = ref === run.state.settings.model;
  const wanted = (): string => (isSessions ? run.state.settings.model : ref);
  const failed = new Map<string, ProviderError>();
  for (let model = nextModel(run, ref); ;) {
    const { ref: asked } = model.info;
    if (models.chain !== undefined && isSessions) yield* changeTo(run, model);
    const outcome = yield* ask(model);
    if (!isFailed(outcome) || outcome.shown || run.signal.aborted) return outcome;
    const { error } = outcome;
    if (!anotherMayAnswer(error)) return outcome;
    const rest = models.rest?.(asked, error) ?? 0;
    const next = chainOf(models, wanted()).find(({ info }) => info.ref !== asked && !failed.has(info.ref));
    if (next === undefined) return { ...outcome, error: withEarlier(error, failed) };
    failed.set(asked, error);
    const text = `${asked} failed (${reasonOf(error)}) and rests for ${minutes(rest)}; ${next.info.ref} is asked instead`;
    yield { type: 'notice', level: 'warning', code: 'fallback', text };
    yield* learnModel(run, next.info.ref);
    model = chainOf(models, wanted()).find(({ info }) => info.ref === next.info.ref) ?? next;
  }
}

function isFailed(outcome: { kind: string }): outcome is Failed {
  return outcome.kind === 'failed';
}
