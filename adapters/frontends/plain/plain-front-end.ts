import { setImmediate } from 'node:timers/promises';
import { errorText } from '../../../ports/errors.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import type { AgentSession, FrontEnd } from '../../../ports/frontend.ts';
import type { Dialog, Host, OpenedSession, Outcome } from '../host.ts';
import { OutputStream, type Writable } from '../output-stream.ts';
import { goOnPrompt, reachedLimit } from '../reached-limit.ts';
import { choiceFor } from './choice.ts';
import { goOnAnswer, goOnText } from './go-on.ts';
import { helpText } from './help-text.ts';
import { LineInput, type EchoTarget, type LineSource } from './line-input.ts';
import { answerOf, questionText } from './question-text.ts';
import { Transcript } from './transcript.ts';

export interface PlainOptions {
  host: Host;
  stdin: LineSource;
  stdout: Writable & EchoTarget;
  /** Milliseconds; rejects, or resolves early, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Sent first. */
  prompt?: string;
}

type Done = Extract<StampedEvent, { type: 'done' }>;
type Request = Extract<StampedEvent, { type: 'permission_request' }>;

/** Milliseconds after a question in which nothing that is typed counts: it was meant for something else. */
const tooSoon = 300;

/**
 * Lines in, lines out (spec: tui, `--plain`): for screen readers, dumb terminals and pipes. Nothing is drawn
 * over, and no colour carries a meaning.
 */
export class PlainFrontEnd implements FrontEnd {
  readonly name = 'plain';
  private readonly out: OutputStream;
  private readonly transcript: Transcript;
  private readonly input: LineInput;
  private readonly left = new AbortController();
  /** What Ctrl-C ends. */
  private task: AbortController | null = null;
  private pressed = false;
  /** Lines that came while nobody waited for one. */
  private readonly typed: string[] = [];
  private current: AgentSession | null = null;
  private isRunning = false;
  /** A permission question stands: what nobody waits for is dropped. */
  private isAsking = false;

  constructor(private readonly options: PlainOptions) {
    const leave = (): void => this.left.abort('interrupted');
    this.out = new OutputStream(options.stdout, leave);
    this.transcript = new Transcript(this.out);
    this.input = new LineInput(options.stdin, options.stdout, {
      stray: (line) => this.stray(line),
      interrupt: () => this.interrupt(),
      end: () => {
        // A file has ended when all of it is read, which is long before it is answered.
        if (this.input.isTerminal) leave();
      },
    });
  }

  run(session: AgentSession, signal: AbortSignal): Promise<number> {
    return this.runOpening(() => Promise.resolve({ session, history: [] }), signal);
  }

  /**
   * Opens a session and talks until the user leaves. At a terminal it asks what to do about one that does not
   * open; throws what opening throws where nothing helps, or nobody is there to be asked.
   */
  async runOpening(open: () => Promise<OpenedSession>, signal: AbortSignal): Promise<number> {
    const leave = (): void => this.left.abort(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      await this.open(open);
      if (this.current === null) return 0;
      await this.talk();
      await this.sayResume();
    } finally {
      signal.removeEventListener('abort', leave);
      this.input.close();
      await this.current?.dispose();
      await this.out.flush();
    }
    return 0;
  }

  private async open(open: () => Promise<OpenedSession>): Promise<void> {
    while (this.current === null && !this.hasLeft) {
      try {
        await this.take(await open());
      } catch (error) {
        const dialog = this.input.isTerminal ? await this.options.host.unopened(error) : null;
        if (dialog === null) throw error;
        await this.follow({ type: 'dialog', dialog });
      }
    }
  }

  private get session(): AgentSession {
    if (this.current === null) throw new Error('no session is open');
    return this.current;
  }

  private get hasLeft(): boolean {
    return this.left.signal.aborted;
  }

  private say(text: string): Promise<void> {
    return this.transcript.say(text);
  }

  private stray(line: string): void {
    this.pressed = false;
    if (this.isAsking) return;
    // Commands wait until there is something to run them on.
    if (!this.isRunning || !this.input.isTerminal || /^\s*(?:[/!]|$)/.test(line)) {
      this.typed.push(line);
      return;
    }
    this.session.steer(line, 'steering');
    void this.say('(goes along with the next step)');
  }

  private interrupt(): void {
    if (this.pressed) {
      this.left.abort('interrupted');
      this.task?.abort('interrupted');
      return;
    }
    this.pressed = true;
    this.input.forget();
    if (this.task === null) {
      // What is asked stands in an open line.
      void this.say('\nctrl+c again leaves').then(() => this.input.again());
    } else {
      this.task.abort('interrupted');
      void this.say('interrupting; ctrl+c again leaves');
    }
  }

  /** Does something that Ctrl-C ends. Whatever goes wrong is told. */
  private async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.task = new AbortController();
    const signal = AbortSignal.any([this.task.signal, this.left.signal]);
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) await this.say(`error: ${errorText(error)}`);
    } finally {
      this.task = null;
      this.pressed = false;
    }
  }

  private async take({ session, history, input, title }: OpenedSession): Promise<void> {
    const before = this.current;
    this.current = session;
    await before?.dispose();
    if (title !== undefined && title !== '') await this.say(`Session: ${title}`);
    const last = history.findLastIndex(({ type }) => type === 'turn_start');
    if (last > 0) await this.say('(what was said before is not shown; /export writes all of it)');
    for (const event of history.slice(Math.max(0, last))) await this.transcript.show(event, '');
    if (input !== undefined && input !== '') await this.say(`The prompt was: ${input}`);
  }

  private async talk(): Promise<void> {
    const { prompt } = this.options;
    if (prompt !== undefined && prompt !== '') await this.send(prompt);
    else await this.say('/help says what can be typed.');
    while (!this.hasLeft) {
      const line = await this.read();
      if (line === null) return;
      if (line.trim() !== '') await this.obey(line);
    }
  }

  private async next(label: string, masked = false): Promise<string | null> {
    const line = this.typed.shift() ?? (await this.input.next(label, this.left.signal, masked));
    if (line !== null) this.pressed = false;
    else if (this.input.isTerminal) await this.out.write('\n');
    return line;
  }

  /** A prompt: one line, those that a backslash ties to it, and those that were pasted with it. */
  private async read(): Promise<string | null> {
    // Lines that came earlier were typed one by one.
    const isLive = this.typed.length === 0;
    let text = await this.next('> ');
    while (text?.endsWith('\\') === true) {
      const more: string | null = await this.next('. ');
      text = `${text.slice(0, -1)}\n${more ?? ''}`;
    }
    if (text === null || !isLive || !this.input.isTerminal) return text;
    await setImmediate();
    return [text, ...this.typed.splice(0)].join('\n');
  }

  private async obey(line: string): Promise<void> {
    const [, name, argument = ''] = /^\s*\/([a-z][\w:-]*)(?:\s+([\s\S]*?))?\s*$/.exec(line) ?? [];
    if (line.startsWith('!')) return this.shell(line.slice(1).trim());
    if (name === undefined) return this.send(line);
    if (name === 'quit' || name === 'exit') return this.left.abort('quit');
    const { host } = this.options;
    const commands = host.commands();
    if (name === 'help') return this.say(helpText(commands));
    const found = commands.find((one) => one.name === name || one.aliases?.includes(name) === true);
    if (found === undefined) return this.say(`There is no command /${name}; /help lists those there are.`);
    await this.follow(await this.outcome((signal) => host.run(found.name, argument, this.session, signal)));
  }

  private async shell(command: string): Promise<void> {
    if (command === '') return;
    await this.during(async (signal) => {
      const { exitCode } = await this.options.host.shell(command, this.session, signal, (text) => {
        void this.transcript.stream(text);
      });
      await this.say(exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`);
    });
  }

  /** What a command or a choice comes to, and all that follows from it. */
  private async follow(first: Outcome): Promise<void> {
    let outcome: Outcome | null = first;
    while (outcome !== null && !this.hasLeft) {
      const now: Outcome = outcome;
      outcome = null;
      switch (now.type) {
        case 'nothing':
        case 'settings':
          break;
        case 'text':
          await this.say(`${now.title}\n${now.text}`);
          break;
        case 'told':
          await this.say(now.text);
          break;
        case 'problem':
          await this.say(`error: ${now.text}`);
          break;
        case 'changed':
          if (now.text !== undefined) await this.say(now.text);
          break;
        case 'copied':
          await this.copy(now.text, now.what);
          break;
        case 'cleared':
          await this.say('The conversation begins anew.');
          break;
        case 'dialog':
          outcome = await this.ask(now.dialog);
          break;
        case 'prompt':
          await this.send(now.text);
          break;
        case 'compact':
          await this.turn((signal) => this.session.compact(signal, now.focus), '');
          break;
        case 'session':
          await this.take(now.opened);
          break;
        case 'quit':
          this.left.abort('quit');
          break;
        default:
          now satisfies never;
      }
    }
  }

  private async copy(text: string, what: string): Promise<void> {
    const taken = await this.options.host.copy(text);
    await this.say(
      taken ? `${what} is on the clipboard` : `Nothing here takes a text to the clipboard; ${what}:\n${text}`,
    );
  }

  private choose({ id }: Dialog, value: string): Promise<Outcome> {
    return this.outcome((signal) => this.options.host.choose(id, value, this.current, signal));
  }

  /** What was chosen in a dialog comes to; null when it was left. */
  private async ask(shown: Dialog): Promise<Outcome | null> {
    // Lines that were said cannot be completed: what is not known yet is waited for.
    const whole = shown.meanwhile === undefined ? null : await this.choose(shown, shown.meanwhile);
    const dialog = whole?.type === 'dialog' ? whole.dialog : shown;
    const value = await choiceFor(dialog, {
      say: (text) => this.say(text),
      next: (label, masked) => this.next(label, masked),
    });
    if (value === null || this.hasLeft) return null;
    return this.choose(dialog, value);
  }

  private async outcome(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    let outcome: Outcome = { type: 'nothing' };
    await this.during(async (signal) => {
      outcome = await work(signal);
    });
    return outcome;
  }

  private async send(prompt: string): Promise<void> {
    this.options.host.remember(prompt);
    let next: string | null = prompt;
    while (next !== null) {
      const text: string = next;
      const done = await this.turn((signal) => this.session.prompt(text, signal), text);
      next = done !== null && (await this.goesOn(done)) ? goOnPrompt : null;
    }
  }

  /** Asks whether to go on past a limit, and sets it. Where lines are piped in, the next one is a prompt. */
  private async goesOn(done: Done): Promise<boolean> {
    if (!this.input.isTerminal || this.hasLeft) return false;
    const limit = reachedLimit(done, this.session.settings().limits);
    if (limit === null) return false;
    await this.say(goOnText(limit));
    for (;;) {
      const line = await this.next('answer: ');
      const answer = line === null ? 'no' : goOnAnswer(line, limit);
      if (answer === 'no') return false;
      if (answer !== null) {
        this.session.setLimits(answer);
        return true;
      }
      await this.say('Begin the answer with one of the letters above.');
    }
  }

  /** Reads a turn to its end, and answers what it asks. Gives its end; null if it had none. */
  private async turn(
    begin: (signal: AbortSignal) => AsyncIterable<StampedEvent>,
    prompt: string,
  ): Promise<Done | null> {
    let done: Done | null = null;
    await this.during(async (signal) => {
      this.isRunning = true;
      try {
        for await (const event of begin(signal)) {
          if (event.type === 'done' && event.agent === undefined) done = event;
          if (event.type === 'permission_request') await this.answer(event, signal);
          else await this.transcript.show(event, prompt);
        }
      } finally {
        this.isRunning = false;
      }
    });
    return done;
  }

  /** Asks in words until an answer is understood; where nobody is left to give one, it is no. */
  private async answer(request: Request, signal: AbortSignal): Promise<void> {
    await this.say(questionText(request, this.options.stdout.columns ?? 80));
    this.isAsking = true;
    try {
      // What was on its way, or was begun, was meant for something else.
      await this.options.sleep(tooSoon, signal).catch(() => undefined);
      this.input.forget();
      for (;;) {
        const line = await this.input.next('answer: ', signal);
        if (signal.aborted) return;
        const answer = line === null ? { allow: false } : answerOf(line, request);
        if (answer === null) {
          await this.say('Begin the answer with one of the letters above.');
          continue;
        }
        const { stop, ...given } = { stop: undefined, ...answer };
        this.session.answer(request.request_id, given);
        if (stop === true) this.task?.abort('interrupted');
        return;
      }
    } finally {
      this.isAsking = false;
    }
  }

  private async sayResume(): Promise<void> {
    const { id, path } = this.session;
    if (path !== null) await this.say(`To go on: larik --resume ${id}`);
  }
}
