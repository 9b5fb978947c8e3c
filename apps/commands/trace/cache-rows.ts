import type { RequestPurpose } from '../../../ports/provider.ts';
import type { TraceRecord } from '../../../ports/tracer.ts';

/** What one request had in common with the one before it, and what its server said of its cache. */
export interface CacheRow {
  /** Counted from 1 in a run; `run` counts the runs of the session. */
  run: number;
  request: number;
  attempt: number;
  model: string;
  purpose: RequestPurpose;
  sent_bytes: number;
  before_bytes: number;
  shared_bytes: number;
  /** Null: no answer came, or none that said. */
  cached_tokens: number | null;
  prompt_tokens: number | null;
  cause: string | null;
  /** A prefix that should have held. */
  broken: boolean;
}

/** False for what another version or a hand has written. */
const areNumbers = (values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'number');

/** Gathers a row for each request of a record. */
export class CacheRows {
  readonly rows: CacheRow[] = [];
  #run = 0;

  add(record: TraceRecord): void {
    if (record.type === 'start') this.#run += 1;
    if (record.type === 'prefix') {
      const { request, attempt, model, purpose, sent, before, shared } = record;
      if (!areNumbers([request, attempt, sent, before, shared])) return;
      const cause = record.cause === null ? null : String(record.cause);
      const sizes = { sent_bytes: sent, before_bytes: before, shared_bytes: shared };
      const tokens = { cached_tokens: null, prompt_tokens: null };
      const named = { run: this.#run, request, attempt, model, purpose };
      this.rows.push({ ...named, ...sizes, ...tokens, cause, broken: false });
    }
    const last = this.rows.at(-1);
    if (last === undefined || !('request' in record) || record.request !== last.request) return;
    if (record.type === 'prefix_break') last.broken = true;
    if (record.type !== 'answer' || record.usage === null) return;
    const { input, cacheRead, cacheWrite } = record.usage;
    if (!areNumbers([input, cacheRead, cacheWrite])) return;
    last.cached_tokens = cacheRead;
    last.prompt_tokens = input + cacheRead + cacheWrite;
  }
}
