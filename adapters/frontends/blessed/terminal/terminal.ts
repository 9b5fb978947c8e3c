import { writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Line } from '../text/line.ts';
import type { Size } from '../view/view.ts';
import type { Capabilities } from './capabilities.ts';
import { InputDecoder } from './decoder.ts';
import type { Frame } from './frame.ts';
import type { Input } from './input.ts';
import { Painter } from './painter.ts';
import type { Palette } from './palette.ts';
import { ProcessWatch } from './process-watch.ts';
import { rowBytes } from './row-bytes.ts';
import { ScreenModes } from './screen-modes.ts';
import { backgroundQuestion, copySequence, notifySequence, titleSequence } from './terminal-text.ts';

/** What happens at a terminal. */
export interface TerminalEvents {
  input(input: Input): void;
  size(size: Size): void;
  /** Nobody is there any more: its input ended, or the line was cut. */
  closed(): void;
  /** What stays on the normal screen where the process ends without having closed the terminal. */
  leaving(): readonly Line[];
}

export interface TerminalOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  capabilities: Capabilities;
  palette: Palette;
}

/** Silence after which an escape was a key, here and over a network; milliseconds. */
const escapeTime = 30;
const remoteEscapeTime = 100;
/** Silence after which what has begun does not go on. */
const lostTime = 1000;

/** `away`: the terminal is another program's meanwhile, or the shell's. */
type State = 'closed' | 'open' | 'away';

/**
 * The terminal: takes it and gives it back, reads it, and shows frames. What happens to the process, such
 * as its end by an error or a signal, leaves the terminal as it was.
 */
export class Terminal {
  private readonly stdin: NodeJS.ReadStream;
  private readonly stdout: NodeJS.WriteStream;
  private readonly capabilities: Capabilities;
  private readonly painter: Painter;
  private readonly watch = new ProcessWatch({
    end: () => this.endWithProcess(),
    stop: () => this.suspend(),
    goOn: () => this.retake(),
  });
  private palette: Palette;
  private modes: ScreenModes | null = null;
  private events: TerminalEvents | null = null;
  private state: State = 'closed';
  private mouse = false;
  private decoder = new InputDecoder();
  private text = new StringDecoder('utf8');
  private silence: NodeJS.Timeout | null = null;
  private frame: Frame | null = null;
  /** A frame was asked for that is not written yet. */
  private isDue = false;
  private writing = false;
  private isGone = false;

  constructor({ stdin, stdout, capabilities, palette }: TerminalOptions) {
    this.stdin = stdin;
    this.stdout = stdout;
    this.capabilities = capabilities;
    this.palette = palette;
    this.painter = new Painter(palette);
  }

  /** Takes the terminal. Events come from now on. */
  open(events: TerminalEvents, { mouse }: { mouse: boolean }): void {
    if (this.state !== 'closed') return;
    this.events = events;
    this.mouse = mouse;
    this.modes = new ScreenModes(this.capabilities);
    this.stdin.on('data', this.onData).on('end', this.onGone).on('close', this.onGone);
    this.stdin.on('error', this.onGone);
    this.stdout.on('error', this.onGone).on('resize', this.onResize);
    this.watch.begin();
    this.take();
    if (this.stdin.readableEnded || this.stdin.destroyed) setImmediate(this.onGone);
  }

  /** Gives the terminal back, at once: it may be called while the process ends, and more than once. */
  close(): void {
    if (this.state === 'closed') return;
    this.leave();
    this.state = 'closed';
    this.watch.end();
    this.modes?.end();
    this.modes = null;
    this.events = null;
    this.frame = null;
    this.stdin.off('data', this.onData).off('end', this.onGone).off('close', this.onGone);
    // The listeners of errors stay: what fails late must not end the process.
    this.stdout.off('resize', this.onResize);
  }

  size(): Size {
    const { columns, rows } = this.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Shows a frame; while the one before is still on its way, only the latest is kept. */
  draw(frame: Frame): void {
    if (this.state === 'closed') return;
    this.frame = frame;
    this.isDue = true;
    if (!this.writing && this.state === 'open') this.paint();
  }

  /** Paints the last frame anew, whatever is on the screen. */
  redraw(): void {
    this.painter.forget();
    if (this.frame !== null) this.draw(this.frame);
  }

  setMouse(on: boolean): void {
    if (this.mouse === on) return;
    this.mouse = on;
    if (this.state === 'open' && this.modes !== null) this.send(this.modes.mouse(on));
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.painter.setPalette(palette);
    if (this.frame !== null) this.draw(this.frame);
  }

  /** False: the text is too long, or the terminal has no clipboard. Whether it took it nobody tells. */
  copy(text: string): boolean {
    const sequence = copySequence(text, this.capabilities);
    if (sequence !== null) this.sendIfOpen(sequence);
    return sequence !== null;
  }

  /** Calls for the user's attention. */
  notify(text: string): void {
    this.sendIfOpen(notifySequence(text, this.capabilities));
  }

  setTitle(text: string): void {
    if (this.capabilities.titles) this.sendIfOpen(titleSequence(text));
  }

  /** The answer, if the terminal gives one, is an input. */
  askBackground(): void {
    if (this.capabilities.titles) this.sendIfOpen(backgroundQuestion);
  }

  /** Gives the terminal to the shell until the process is told to go on. */
  suspend(): void {
    if (this.state !== 'open') return;
    this.leave();
    this.watch.stop();
  }

  /** Gives the terminal to another program while `work` goes on. */
  async handOver<T>(work: () => Promise<T>): Promise<T> {
    if (this.state !== 'open') return work();
    this.leave();
    this.watch.pause();
    try {
      return await work();
    } finally {
      this.watch.unpause();
      this.retake();
    }
  }

  /** Rows on the normal screen, after `close`. */
  print(lines: readonly Line[]): void {
    if (this.state !== 'closed' || lines.length === 0) return;
    this.writeNow(lines.map((line) => `${rowBytes(line, this.palette)}\r\n`).join(''));
  }

  /** The process ends, perhaps over an error in what the screen is drawn with. */
  private endWithProcess(): void {
    const { events } = this;
    this.close();
    try {
      this.print(events?.leaving() ?? []);
    } catch {
      // The first error is the one to be told.
    }
  }

  private take(): void {
    this.state = 'open';
    this.setRaw(true);
    this.painter.forget();
    this.send(this.modes?.enter(this.mouse) ?? '');
    this.stdin.resume();
  }

  private leave(): void {
    if (this.state !== 'open') return;
    this.state = 'away';
    this.hushed();
    this.decoder = new InputDecoder();
    this.stdin.pause();
    this.writeNow(this.modes?.leave() ?? '');
    this.setRaw(false);
  }

  /** Takes the terminal again; also after someone else used it without a word. */
  private retake(): void {
    if (this.state === 'closed' || this.isGone) return;
    if (this.state === 'open') this.setRaw(false);
    // Only who has the terminal is told of its size, and Node asks for it only when told.
    process.emit('SIGWINCH', 'SIGWINCH');
    this.take();
    this.events?.size(this.size());
    this.redraw();
  }

  private setRaw(on: boolean): void {
    try {
      if (this.stdin.isTTY) this.stdin.setRawMode(on);
    } catch {
      // The terminal is gone, or someone else's.
    }
  }

  private paint(): void {
    const { frame } = this;
    if (frame === null) return;
    this.isDue = false;
    const bytes = this.painter.paint(frame, this.size());
    if (bytes === '') return;
    this.writing = true;
    this.send(bytes, () => {
      this.writing = false;
      if (this.state === 'open' && this.isDue) this.paint();
    });
  }

  private sendIfOpen(bytes: string): void {
    if (this.state === 'open') this.send(bytes);
  }

  private send(bytes: string, done: () => void = () => undefined): void {
    if (!this.isGone) this.stdout.write(bytes, done);
  }

  /** Writes before it returns: while the process ends, nothing else would reach the terminal. */
  private writeNow(bytes: string): void {
    if (this.isGone) return;
    const { fd } = this.stdout as { fd?: number };
    if (fd === undefined || !this.stdout.isTTY) {
      this.stdout.write(bytes);
      return;
    }
    const data = Buffer.from(bytes);
    // A terminal that takes nothing is waited for half a second in all.
    for (let at = 0, tries = 0; at < data.length && tries < 50;) {
      try {
        at += writeSync(fd, data, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }

  private readonly onData = (chunk: Buffer | string): void => {
    if (this.state !== 'open') return;
    this.hushed();
    this.told(this.decoder.push(typeof chunk === 'string' ? chunk : this.text.write(chunk)));
    this.listen(this.capabilities.remote ? remoteEscapeTime : escapeTime);
  };

  /** Waits for what has begun to go on. */
  private listen(time: number): void {
    if (!this.decoder.waits || this.state !== 'open') return;
    this.silence = setTimeout(() => {
      this.silence = null;
      this.told(this.decoder.flush());
      if (this.silence === null) this.listen(lostTime);
    }, time);
  }

  private hushed(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    this.silence = null;
  }

  private told(inputs: readonly Input[]): void {
    for (const input of inputs) this.events?.input(input);
  }

  private readonly onResize = (): void => {
    if (this.state === 'open') this.events?.size(this.size());
  };

  private readonly onGone = (): void => {
    if (this.isGone) return;
    this.isGone = true;
    this.events?.closed();
  };
}
