import type { ListedModel, ModelProbe } from '../../../ports/provider.ts';
import type { ModelConfig } from '../../../ports/settings.ts';
import type { ProviderOptions } from '../http/protocol-provider.ts';
import { askIfAble, askServer } from '../probing/ask-server.ts';
import { list, record, text } from '../wire/json.ts';
import { localWindow, windowOf } from '../wire/window.ts';
import { canCallTools, isModelName, largestWindow } from './served.ts';

/** What this process knows of one model. */
interface Known {
  /** The model's largest window. */
  largest: number | null;
  /** What it is loaded with, as the settings or the first request had it: another one would load it anew. */
  asked: number | null;
  /** What the server says that it has loaded. */
  loaded: number | null;
}

/** The models of one Ollama, as far as it has told of them (spec: providers, "Adapters"). */
export class OllamaModels {
  readonly #options: ProviderOptions;
  readonly #config: (model: string) => ModelConfig | undefined;
  readonly #known = new Map<string, Known>();

  constructor(options: ProviderOptions, config: (model: string) => ModelConfig | undefined) {
    this.#options = options;
    this.#config = config;
  }

  /** The window to load a model with; from the first request on always the same. */
  windowFor(model: string): number {
    const known = this.#of(model);
    known.asked ??= this.#wanted(model, known);
    return known.asked;
  }

  /** The window that a model is really loaded with, as far as the server tells it. */
  async loadedWindow(model: string, signal: AbortSignal): Promise<number | null> {
    const answer = await askIfAble(this.#options, { path: '/api/ps', model, signal });
    const names = [model, `${model}:latest`];
    const row = list(answer?.['models'])
      .map(record)
      .find((each) => names.includes(text(each['model'])) || names.includes(text(each['name'])));
    const known = this.#of(model);
    known.loaded = windowOf(row?.['context_length']) ?? known.loaded;
    return known.loaded;
  }

  async probe(model: string, signal: AbortSignal): Promise<ModelProbe> {
    const known = this.#of(model);
    // What is loaded before the first request is what another program has asked for.
    const isOurs = known.asked !== null;
    const [shown, loaded] = await Promise.all([
      askServer(this.#options, { path: '/api/show', body: { model }, model, signal }),
      isOurs ? this.loadedWindow(model, signal) : null,
    ]);
    known.largest = largestWindow(shown) ?? known.largest;
    const asked = known.asked ?? this.#wanted(model, known);
    const tools = canCallTools(shown);
    return {
      contextWindow: loaded ?? Math.min(asked, known.largest ?? asked),
      ...(tools !== null && { supportsTools: tools, supportsImages: hasVision(shown) }),
      windowHelp: this.windowHelp(model),
      toolsHelp: `Choose another with --model: ollama show NAME lists "tools" for those that can.`,
      mayChange: !isOurs,
    };
  }

  async list(signal: AbortSignal): Promise<ListedModel[]> {
    const answer = await askServer(this.#options, { path: '/api/tags', model: '', signal });
    return list(answer['models'])
      .map((each) => text(record(each)['name']))
      .filter(isModelName)
      .map((id) => ({ id }));
  }

  windowHelp(model: string): string {
    const largest = this.#of(model).largest;
    const most = largest === null ? '' : ` (the model takes up to ${largest.toLocaleString('en-US')})`;
    return (
      `Set models."${this.#options.name}/${model}".context_window in the settings to what the memory allows${most}, ` +
      `or start Ollama with a larger OLLAMA_CONTEXT_LENGTH.`
    );
  }

  #of(model: string): Known {
    const known = this.#known.get(model) ?? { largest: null, asked: null, loaded: null };
    this.#known.set(model, known);
    return known;
  }

  #wanted(model: string, { largest }: Known): number {
    const set = windowOf(this.#config(model)?.contextWindow);
    return set ?? Math.min(localWindow, largest ?? localWindow);
  }
}

function hasVision(shown: Record<string, unknown>): boolean {
  return list(shown['capabilities']).includes('vision');
}
