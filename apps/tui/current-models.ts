import type { ProviderError } from '../../ports/errors.ts';
import type { ModelNotice, Models, ResolvedModel } from '../../ports/models.ts';

/** Models of which the settings may change while sessions hold them: a key that was entered, a new server. */
export class CurrentModels implements Models {
  constructor(private table: Models) {}

  /** What was learned of models and which of them rest is forgotten with the old table. */
  replace(table: Models): void {
    this.table = table;
  }

  resolve(ref: string): ResolvedModel {
    return this.table.resolve(ref);
  }

  chain(ref: string): ResolvedModel[] {
    return this.table.chain?.(ref) ?? [this.table.resolve(ref)];
  }

  problems(): string[] {
    return this.table.problems?.() ?? [];
  }

  rest(ref: string, error: ProviderError): number {
    return this.table.rest?.(ref, error) ?? 0;
  }

  learn(ref: string, signal: AbortSignal): Promise<ModelNotice[]> {
    return this.table.learn?.(ref, signal) ?? Promise.resolve([]);
  }
}
