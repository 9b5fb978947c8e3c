import type { Clock } from '../../../ports/clock.ts';
import { isPortError, PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Provider, ProviderEvent } from '../../../ports/provider.ts';
import { withinTime } from '../http/time-limit.ts';
import { nearest } from '../nearest.ts';

export interface NearModelsOptions {
  clock: Clock;
  /** Ids that are known without asking the server. */
  known: readonly string[];
}

/** Milliseconds that a server may take to list its models; the user waits for an error meanwhile. */
const listMs = 3000;

/**
 * A provider whose error for a model that there is not names those that were probably meant: from the
 * server's own list, where it has one and gives it soon, else from the known ones.
 */
export function withNearModels(provider: Provider, options: NearModelsOptions): Provider {
  return {
    ...provider,
    async *stream(request, signal, watch): AsyncGenerator<ProviderEvent, void, undefined> {
      try {
        yield* provider.stream(request, signal, watch);
      } catch (error) {
        // Without a status it was no model server that answered.
        const isMissing = isPortError(error, 'provider') && error.kind === 'not_found';
        if (!isMissing || error.facts.status === undefined) throw error;
        const offered = await listed(provider, options.clock, signal);
        signal.throwIfAborted();
        throw named(error, hint(request.model, offered, options.known));
      }
    },
  };
}

/** What the server offers; null where it does not say. */
async function listed(provider: Provider, clock: Clock, signal: AbortSignal): Promise<string[] | null> {
  const list = provider.listModels?.bind(provider);
  if (!list) return null;
  const limit = { clock, ms: listMs, signal, what: `${provider.name}: the list of models` };
  try {
    const models = await withinTime(limit, list);
    // They go into a text for a terminal.
    return models.map(({ id }) => id).filter((id) => /^[\w./:@+-]{1,200}$/.test(id));
  } catch {
    return null;
  }
}

function hint(wanted: string, offered: readonly string[] | null, known: readonly string[]): string {
  // The name is right, so it is rather the address that is not.
  if (offered === null && known.includes(wanted)) return '';
  const near = nearModels(wanted, offered ?? known);
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  if (offered === null || offered.length === 0) return '';
  const [shown, more] = [offered.slice(0, 5).join(', '), offered.length - 5];
  return `The server offers ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Names that hold the wanted one, or are held by it, go before such as are merely written alike. */
function nearModels(wanted: string, ids: readonly string[]): string[] {
  const name = wanted.toLowerCase();
  const related = ids
    .filter((id) => id !== wanted && (id.toLowerCase().includes(name) || name.includes(id.toLowerCase())))
    .sort((a, b) => Math.abs(a.length - name.length) - Math.abs(b.length - name.length));
  const alike = nearest(wanted, ids).filter((id) => id !== wanted && !related.includes(id));
  return [...related, ...alike].slice(0, 3);
}

function named(error: ProviderError, said: string): ProviderError {
  if (said === '') return error;
  const { remedy } = error.facts;
  return new PortError('provider', error.kind, error.message, {
    ...error.facts,
    remedy: remedy === undefined ? said : `${said} ${remedy}`,
  });
}
