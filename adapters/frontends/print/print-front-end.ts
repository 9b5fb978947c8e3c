import { jsonText } from '../../../domain/text/json-text.ts';
import { cleanTerminalText } from '../../../domain/text/terminal/terminal-text.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import type { AgentSession, FrontEnd } from '../../../ports/frontend.ts';
import type { TurnEnd } from '../../../ports/session.ts';
import { activityLine, describeCall } from '../activity.ts';
import { Denials, planOf } from './denials.ts';
import { exitCode } from './exit-code.ts';
import { OutputStream, type Writable } from '../output-stream.ts';
import { Spinner } from './spinner.ts';

export interface PrintOptions {
  prompt: string;
  /** What was piped in along with it. */
  material?: string;
  output: 'text' | 'json' | 'result';
  quiet: boolean;
  /** Exit with 3 when something was denied, asked about or not. */
  failOnDeny: boolean;
  stdout: Writable;
  stderr: Writable;
}

type Done = Extract<StampedEvent, { type: 'done' }>;

/**
 * Headless: one turn, the answer on standard output, everything else on standard error
 * (spec: headless). Permission questions are denied at once. The front end to copy for a new one.
 */
export class PrintFrontEnd implements FrontEnd {
  readonly name = 'print';
  private readonly out: OutputStream;
  private readonly err: OutputStream;
  private readonly gone = new AbortController();
  private readonly denials = new Denials();
  private readonly spinner: Spinner | null;
  /** Text of the message that is being written, or was last. */
  private answer = '';
  private streamed = false;
  private planned = false;

  constructor(private readonly options: PrintOptions) {
    this.out = new OutputStream(options.stdout, () => this.gone.abort('closed'));
    this.err = new OutputStream(options.stderr);
    this.spinner = this.err.isTerminal && !options.quiet ? new Spinner(this.err) : null;
  }

  async run(session: AgentSession, signal: AbortSignal): Promise<number> {
    this.spinner?.start();
    let done: Done | null = null;
    const stop = AbortSignal.any([signal, this.gone.signal]);
    try {
      for await (const event of session.prompt(this.options.prompt, stop, this.options.material ?? '')) {
        this.denials.note(event);
        if (event.type === 'permission_request') {
          const plan = planOf(event);
          if (plan !== null) await this.showPlan(plan);
          session.answer(event.request_id, { allow: false });
        }
        if (event.type === 'done') done = event;
        if (this.options.output === 'json') await this.out.write(`${jsonText(event)}\n`);
        else await this.show(event);
      }
    } finally {
      this.spinner?.stop();
    }
    if (done !== null) await this.finish(session, done);
    await Promise.all([this.out.flush(), this.err.flush()]);
    if (this.gone.signal.aborted) return 1;
    const end: TurnEnd = done?.stop_reason ?? 'error';
    return exitCode(end, this.options.failOnDeny && this.denials.all.length > 0);
  }

  private async say(line: string): Promise<void> {
    this.spinner?.clear();
    // Names, rules and reasons come from models, servers and projects.
    await this.err.write(`${cleanTerminalText(line)}\n`);
  }

  /** A plan is no denial: it is what was asked for, and is carried out once somebody has read it. */
  private async showPlan(plan: string): Promise<void> {
    this.planned = true;
    if (this.options.output !== 'json' && !this.options.quiet) await this.say(plan);
  }

  private async show(event: StampedEvent): Promise<void> {
    switch (event.type) {
      case 'text_delta':
        if (this.options.output === 'text' && this.out.isTerminal) await this.stream(event.text);
        return;
      case 'assistant_message':
        await this.message(event);
        return;
      case 'error':
        await this.say(`error: ${event.text}`);
        return;
      case 'tool_start':
        this.spinner?.show(describeCall(event.tool_name, event.input));
        break;
      case 'tool_end':
        this.spinner?.show('thinking');
        break;
      default:
        break;
    }
    const isDenial = event.type === 'notice' && event.code === 'denied';
    const line = this.options.quiet && !isDenial ? null : activityLine(event);
    if (line !== null) await this.say(line);
  }

  /** On a terminal the answer is read as it comes, so it is shown as it comes. */
  private async stream(text: string): Promise<void> {
    // Drawn in the same line on the same terminal, it would wipe away what has been written of it.
    this.spinner?.stop();
    this.streamed = true;
    await this.out.write(text);
  }

  private async message(event: Extract<StampedEvent, { type: 'assistant_message' }>): Promise<void> {
    const text = event.message.blocks
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n\n');
    if (this.streamed) {
      await this.out.write('\n');
      this.spinner?.start();
      this.streamed = false;
      this.answer = text;
      return;
    }
    const calls = event.message.blocks.some((block) => block.type === 'tool_use');
    // Only the last message is the answer; what was said on the way goes where the tool lines go.
    if (calls && text !== '' && !this.options.quiet && !this.out.isTerminal) await this.say(text);
    this.answer = text;
  }

  private async finish(session: AgentSession, done: Done): Promise<void> {
    const { output } = this.options;
    if (output === 'result') {
      const { stop_reason, usage, cost_usd, reason } = done;
      const result = {
        answer: this.answer,
        stop_reason,
        reason,
        usage,
        cost_usd,
        session: session.id,
        denials: this.denials.all,
      };
      await this.out.write(`${jsonText(result)}\n`);
    }
    if (output === 'text' && !this.out.isTerminal && this.answer !== '') {
      await this.out.write(this.answer.endsWith('\n') ? this.answer : `${this.answer}\n`);
    }
    if (done.stop_reason !== 'end_turn' && done.stop_reason !== 'error' && output === 'text') {
      const why = done.reason === undefined ? '' : `: ${done.reason}`;
      await this.say(`stopped (${done.stop_reason})${why}; go on with: larik -p --resume ${session.id} "…"`);
    }
    if (this.planned) {
      await this.say(
        `to carry the plan out: larik -p --resume ${session.id} --mode accept-edits "carry out the plan"`,
      );
    }
    for (const line of this.denials.remedies()) await this.say(line);
  }
}
