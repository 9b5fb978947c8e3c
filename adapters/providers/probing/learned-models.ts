import type { ModelNotice } from '../../../ports/models.ts';
import type { ModelProbe, Provider } from '../../../ports/provider.ts';
import type { ModelConfig } from '../../../ports/settings.ts';

/** A model behind a server of the user's own. */
export interface LocalModel {
  /** `provider/model`. */
  ref: string;
  provider: Provider;
  model: string;
  config: ModelConfig | undefined;
}

/** With less than this an agent has no room for a few files. */
const smallWindow = 16_384;

/** What servers of the user's own have said of their models, each asked once (spec: providers, "The port"). */
export class LearnedModels {
  readonly #probes = new Map<string, ModelProbe>();
  /** What the user has heard already. */
  readonly #told = new Set<string>();

  of(ref: string): ModelProbe | null {
    return this.#probes.get(ref) ?? null;
  }

  /** Asks the server; one that does not answer is asked again the next time. Rejects with the signal's reason only. */
  async learn(local: LocalModel, signal: AbortSignal): Promise<ModelNotice[]> {
    const known = this.#probes.get(local.ref);
    if (known !== undefined && known.mayChange !== true) return [];
    try {
      const probe = (await local.provider.probe?.(local.model, signal)) ?? {};
      this.#probes.set(local.ref, probe);
      const notices = noticesFor(local, probe).filter(({ text }) => !this.#told.has(text));
      for (const { text } of notices) this.#told.add(text);
      return notices;
    } catch {
      // What is wrong with the server the request will say.
      signal.throwIfAborted();
      return [];
    }
  }
}

/** What the user should hear of a model, with what to do about it. */
export function noticesFor(
  { ref, config }: Pick<LocalModel, 'ref' | 'config'>,
  probe: ModelProbe,
): ModelNotice[] {
  const { contextWindow: window, supportsTools, toolsHelp, windowHelp = '' } = probe;
  const notices: ModelNotice[] = [];
  const warn = (code: string, text: string) => notices.push({ level: 'warning', code, text: text.trim() });
  // Where the settings say it, the user knows better, or wants to talk only.
  if (supportsTools === false && config?.tools === undefined) {
    const help = toolsHelp ?? 'Choose another with --model.';
    const talk = `Only to talk with it, set models."${ref}".tools to false.`;
    warn('no_tools', `By what its server says ${ref} cannot call tools, which larik needs. ${help} ${talk}`);
  }
  const set = config?.contextWindow;
  if (window === undefined) return notices;
  if (set !== undefined && window < set) {
    warn(
      'window_smaller',
      `The settings give ${ref} a window of ${number(set)} tokens, but the server gives it ${number(window)}. ${windowHelp}`,
    );
  } else if (window < smallWindow) {
    warn(
      'small_window',
      `${ref} has a window of ${number(window)} tokens only, which larik fills soon. ${windowHelp}`,
    );
  }
  return notices;
}

const number = (value: number): string => value.toLocaleString('en-US');
