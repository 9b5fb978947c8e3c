import Program from 'blessed/lib/program.js';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Capabilities } from './capabilities.ts';

/** What blessed takes for its terminal: it keeps what is written, so that it goes out in one piece. */
class CollectedOutput extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns = 0;
  rows = 0;
  private text = '';

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

/** blessed would ask a tmux for its version, and wait. */
function programFor(output: CollectedOutput): Program {
  const tmux = process.env['TMUX'];
  delete process.env['TMUX'];
  try {
    // It never sees a key: those are decoded by `InputDecoder`.
    return new Program({ input: new PassThrough(), output, tput: false, terminal: 'xterm-256color' });
  } finally {
    if (tmux !== undefined) process.env['TMUX'] = tmux;
  }
}

/**
 * The modes that a full-screen program sets in a terminal, as bytes; blessed's program knows them. What
 * it does not know is beside it: pastes, focus, exact keys, the title.
 */
export class ScreenModes {
  private readonly output = new CollectedOutput();
  private readonly program = programFor(this.output);

  constructor(private readonly capabilities: Pick<Capabilities, 'exactKeys'>) {}

  /** From the normal screen to ours. */
  enter(mouse: boolean): string {
    const { program } = this;
    // Title and icon are kept by the terminal.
    this.output.write('\u001b[22;0t');
    program.setMode('?1049');
    program.hideCursor();
    // A character in the last cell does not scroll the screen.
    program.resetMode('?7');
    program.setMode('?2004');
    program.setMode('?1004');
    if (this.capabilities.exactKeys) this.output.write('\u001b[>4;1m\u001b[>1u');
    return this.output.take() + (mouse ? this.mouse(true) : '');
  }

  /** Back, whichever of the modes are on. */
  leave(): string {
    const { program } = this;
    // A frame may have been cut.
    program.resetMode('?2026');
    this.output.write('\u001b[0m\u001b]8;;\u001b\\');
    // The keys of the alternate screen have a stack of their own, so that this comes before leaving it.
    if (this.capabilities.exactKeys) this.output.write('\u001b[<u\u001b[>4;0m');
    program.setMode('?7');
    this.output.write('\u001b[23;0t');
    program.resetMode('?1049');
    program.showCursor();
    this.setMouse(false);
    program.resetMode('?2004');
    program.resetMode('?1004');
    return this.output.take();
  }

  /** Presses, drags and the wheel; with shift held the terminal keeps them, to select text. */
  mouse(on: boolean): string {
    this.setMouse(on);
    return this.output.take();
  }

  private setMouse(on: boolean): void {
    const modes = { vt200Mouse: on, cellMotion: on, sgrMouse: on };
    // To many terminals these are one mode, and the last word counts: 1003 is not even taken back while
    // another one is to be on.
    this.program.setMouse(on ? modes : { ...modes, allMotion: false }, on);
  }

  end(): void {
    this.program.destroy();
  }
}
