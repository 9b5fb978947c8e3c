import type { StatusFacts } from '../../adapters/frontends/host.ts';
import type { StatusLineConfig } from '../../ports/settings.ts';
import { programOutput } from './program-output.ts';

/** Milliseconds between two starts of the command. */
const restMs = 300;
const timeoutMs = 2000;
/** Bytes of output that are taken; a line is shown. */
const maxBytes = 65_536;

export interface StatusLineOptions {
  /** Out of the user's own settings; null: there is none. */
  config(): StatusLineConfig | null;
  cwd: string;
  project: string;
  version: string;
  /** Without keys. */
  env(): Record<string, string>;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  now(): number;
}

/** What the command is told on its standard input, in the format that Claude Code documents. */
function statusInput(facts: StatusFacts, { project, version }: StatusLineOptions): string {
  const { contextTokens: tokens, contextWindow: window } = facts;
  const used =
    tokens === null || window === null || window === 0 ? null : Math.round((tokens / window) * 100);
  return `${JSON.stringify({
    hook_event_name: 'Status',
    session_id: facts.session,
    transcript_path: facts.transcript,
    cwd: facts.cwd,
    model: { id: facts.model, display_name: facts.model.slice(facts.model.lastIndexOf('/') + 1) },
    workspace: { current_dir: facts.cwd, project_dir: project, added_dirs: [] },
    version,
    output_style: { name: 'default' },
    cost: { total_cost_usd: facts.costUsd, total_duration_ms: facts.durationMs },
    context_window: {
      context_window_size: window,
      total_input_tokens: tokens,
      used_percentage: used,
      remaining_percentage: used === null ? null : Math.max(0, 100 - used),
    },
    exceeds_200k_tokens: tokens !== null && tokens > 200_000,
    permission_mode: facts.mode,
  })}\n`;
}

/**
 * The user's status-line command. It runs only when what it is told has changed, and not again right after
 * it has begun; in between its last line holds.
 */
export class StatusLine {
  private key = '';
  private line: string | null = null;
  private startedAt = -Infinity;

  constructor(private readonly options: StatusLineOptions) {}

  async show(facts: StatusFacts, signal: AbortSignal): Promise<string | null> {
    const { cwd, env, redact, now } = this.options;
    const config = this.options.config();
    if (config === null) return null;
    const { command, padding, refresh } = config;
    // The time goes on by itself, which is no change.
    const key = JSON.stringify([command, { ...facts, durationMs: 0 }]);
    const passed = now() - this.startedAt;
    const isDue = key !== this.key || (refresh !== null && passed >= refresh * 1000);
    if (!isDue || passed < restMs) return this.line;
    this.startedAt = now();
    this.key = key;
    const shell = process.platform === 'win32' ? (['cmd', '/c'] as const) : (['/bin/sh', '-c'] as const);
    const { exitCode, output } = await programOutput(
      {
        command: [...shell, command],
        cwd,
        env: env(),
        input: statusInput(facts, this.options),
        timeoutMs,
        maxBytes,
      },
      signal,
    );
    const [first = ''] = output.toString('utf8').split('\n', 1);
    if (!signal.aborted)
      this.line = exitCode === 0 && first !== '' ? ' '.repeat(padding) + redact(first) : null;
    return this.line;
  }
}
