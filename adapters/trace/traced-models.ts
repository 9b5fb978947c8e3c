import { oneLine } from '../../domain/text/one-line.ts';
import { errorText, isPortError } from '../../ports/errors.ts';
import type { Models, ResolvedModel } from '../../ports/models.ts';
import type {
  ModelRequest,
  Provider,
  ProviderEvent,
  ProviderNotice,
  StreamWatch,
} from '../../ports/provider.ts';
import type { TraceEntry, Tracer } from '../../ports/tracer.ts';
import { ExchangeRecord } from './exchange-record.ts';
import type { PrefixAudit } from './prefix/audit.ts';

export interface TracedModelsOptions {
  tracer: Tracer;
  audit: PrefixAudit;
  /** Headers that the user added to requests. */
  ownHeaders: readonly string[];
}

function failureOf(error: unknown, request: number, signal: AbortSignal): TraceEntry {
  const kind = signal.aborted ? 'interrupted' : isPortError(error, 'provider') ? error.kind : 'internal';
  return { type: 'failure', request, kind, text: errorText(error) };
}

/** The neutral request, in the form in which a prefix is looked at. */
function neutralBody({ system, tools, messages }: ModelRequest): Record<string, unknown> {
  return { system, tools, messages };
}

/** Models whose requests are recorded, and each compared with the one before it (spec: server, providers). */
export function tracedModels(models: Models, options: TracedModelsOptions): Models {
  const { tracer, audit, ownHeaders } = options;
  let requests = 0;

  function watched(watch: StreamWatch | undefined, exchange: ExchangeRecord): StreamWatch {
    return {
      onActivity: () => watch?.onActivity?.(),
      onWire(event) {
        exchange.take(event);
        watch?.onWire?.(event);
      },
    };
  }

  async function* stream(
    { provider, info }: ResolvedModel,
    sent: ModelRequest,
    signal: AbortSignal,
    watch: StreamWatch | undefined,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    requests += 1;
    const [request, model, purpose] = [requests, info.ref, sent.purpose ?? 'turn'];
    const exchange = new ExchangeRecord({ tracer, audit, ownHeaders, request, model, purpose });
    tracer.record({ type: 'request', request, model, purpose, sent });
    let ended = false;
    try {
      for await (const event of provider.stream(sent, signal, watched(watch, exchange))) {
        if (event.kind === 'done') {
          if (exchange.isEmpty) exchange.audit(neutralBody(sent));
          yield* notices(exchange, model);
          const { message, usage, stopReason: stop_reason } = event;
          ended = true;
          tracer.record({ type: 'answer', request, message, usage, stop_reason });
        } else {
          yield* notices(exchange, model);
        }
        yield event;
      }
    } catch (error) {
      ended = true;
      exchange.end('the request failed');
      tracer.record(failureOf(error, request, signal));
      yield* notices(exchange, model);
      throw error;
    } finally {
      exchange.end(null);
      if (!ended) tracer.record({ type: 'failure', request, kind: 'interrupted', text: 'nobody read on' });
    }
  }

  function traced(resolved: ResolvedModel): ResolvedModel {
    const { provider } = resolved;
    const wrapped: Provider = {
      name: provider.name,
      stream: (request, signal, watch) => stream(resolved, request, signal, watch),
      ...(provider.probe && { probe: provider.probe.bind(provider) }),
      ...(provider.listModels && { listModels: provider.listModels.bind(provider) }),
    };
    return { ...resolved, provider: wrapped };
  }

  // A proxy, so that whatever else a table of models can do is still its own.
  return new Proxy(models, {
    get(table, name) {
      if (name === 'resolve') return (ref: string) => traced(table.resolve(ref));
      if (name === 'chain' && table.chain) return (ref: string) => table.chain?.(ref).map(traced);
      const own: unknown = Reflect.get(table, name, table);
      return typeof own === 'function' ? (own.bind(table) as unknown) : own;
    },
  });
}

function* notices(exchange: ExchangeRecord, model: string): Generator<ProviderNotice> {
  for (const { cause } of exchange.breaks()) {
    const text = `The request to ${model} does not extend the one before it: ${oneLine(cause)}. What its server has cached is of use only up to there; larik trace --cache shows every request.`;
    yield { kind: 'notice', level: 'warning', code: 'cache_break', text };
  }
}
