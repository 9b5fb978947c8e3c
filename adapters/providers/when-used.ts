import type { Provider } from '../../ports/provider.ts';

/**
 * A provider whose code is loaded when it is first asked something (spec: quality, "Speed"); what could
 * not be loaded is tried again with the next request. One that cannot say anything of its models says
 * just that.
 */
export function whenUsed(name: string, load: () => Promise<Provider>): Provider {
  let loaded: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  return {
    name,
    async *stream(request, signal, watch) {
      yield* (await provider()).stream(request, signal, watch);
    },
    probe: async (model, signal) => (await (await provider()).probe?.(model, signal)) ?? {},
    listModels: async (signal) => (await (await provider()).listModels?.(signal)) ?? [],
  };
}
