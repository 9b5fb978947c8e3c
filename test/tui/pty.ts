import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** One cell of a terminal's screen. Colours are `default`, a number of the palette, or `#rrggbb`. */
export interface Cell {
  /** Empty beside the first cell of a wide character. */
  text: string;
  width: number;
  foreground: string;
  background: string;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strike: boolean;
}

export interface TerminalProgram {
  command: string;
  args: readonly string[];
  /** Beside the test's own; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  columns?: number;
  rows?: number;
}

/** A program in a terminal, as somebody in front of it has it. */
export interface ProgramInTerminal {
  readonly pid: number;
  /** Types: what a terminal would send for it. */
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Rows from the top, without blanks at their ends. */
  screen(): string[];
  cells(y: number): Cell[];
  cursor(): { x: number; y: number };
  /** What the program asked of the terminal, as far as the emulator tells. */
  modes(): { paste: boolean; focus: boolean; mouse: string; alternate: boolean; wrap: boolean };
  /**
   * Resolves when the screen has such a text, or is as asked, at once or after more output; rejects with
   * the screen after so many milliseconds.
   */
  waitFor(wanted: string | RegExp | ((screen: string[]) => boolean), timeout?: number): Promise<void>;
  /** All that the program has written so far. */
  bytes(): string;
  kill(signal?: string): void;
  /** Resolves when the program has ended and all that it wrote is on the screen. */
  readonly exited: Promise<{ code: number; signal: number }>;
}

const patience = 15_000;

/** The program cannot tell the emulator from a terminal: it also gets answers to what it asks. */
class ScreenOf {
  readonly terminal: xterm.Terminal;

  constructor(columns: number, rows: number) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  }

  rows(): string[] {
    const { buffer, rows } = this.terminal;
    return Array.from(
      { length: rows },
      (_, y) => buffer.active.getLine(buffer.active.viewportY + y)?.translateToString(true) ?? '',
    );
  }

  cells(y: number): Cell[] {
    const { buffer, cols } = this.terminal;
    const line = buffer.active.getLine(buffer.active.viewportY + y);
    return Array.from({ length: cols }, (_, x) => {
      const cell = line?.getCell(x);
      if (cell === undefined) throw new Error(`there is no cell ${x} in row ${y}`);
      return {
        // A cell that was cleared looks the same as a blank.
        text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
        width: cell.getWidth(),
        foreground: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
        background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
        bold: cell.isBold() !== 0,
        italic: cell.isItalic() !== 0,
        underline: cell.isUnderline() !== 0,
        inverse: cell.isInverse() !== 0,
        strike: cell.isStrikethrough() !== 0,
      };
    });
  }

  cursor(): { x: number; y: number } {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    return { x: cursorX, y: cursorY };
  }
}

function colour(isDefault: boolean, isRgb: boolean, value: number): string {
  if (isDefault) return 'default';
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : String(value);
}

/** A screen by itself, to look at what bytes make of it. */
export async function screenAfter(
  bytes: string,
  columns: number,
  rows: number,
): Promise<{ rows: string[]; cells(y: number): Cell[]; cursor: { x: number; y: number } }> {
  const screen = new ScreenOf(columns, rows);
  await new Promise<void>((resolve) => screen.terminal.write(bytes, resolve));
  return { rows: screen.rows(), cells: (y) => screen.cells(y), cursor: screen.cursor() };
}

/**
 * Starts a program in a pseudo-terminal with an emulator behind it. The emulator has the tables of Unicode
 * 6: emoji take one cell and flags two halves, where terminals of today give two. What is drawn right on
 * it does not rely on the terminal's own widths.
 */
export function startInTerminal(program: TerminalProgram): ProgramInTerminal {
  const { command, args, cwd, columns = 80, rows = 24 } = program;
  const variables = { ...process.env, TERM: 'xterm-256color', COLORTERM: 'truecolor', ...program.env };
  const env = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
  const pty = spawn(command, [...args], { cols: columns, rows, env, ...(cwd !== undefined && { cwd }) });
  const screen = new ScreenOf(columns, rows);
  const { terminal } = screen;
  const waiting = new Set<() => void>();
  let bytes = '';
  let hasEnded = false;
  const tell = (): void => waiting.forEach((look) => look());
  pty.onData((data) => {
    bytes += data;
    terminal.write(data, tell);
  });
  terminal.onData((answer) => {
    if (!hasEnded) pty.write(answer);
  });
  const exited = new Promise<{ code: number; signal: number }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      terminal.write('', () => {
        resolve({ code: exitCode, signal: signal ?? 0 });
        tell();
      });
    });
  });
  return {
    pid: pty.pid,
    write: (text) => pty.write(text),
    resize: (newColumns, newRows) => {
      terminal.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    screen: () => screen.rows(),
    cells: (y) => screen.cells(y),
    cursor: () => screen.cursor(),
    modes: () => ({
      paste: terminal.modes.bracketedPasteMode,
      focus: terminal.modes.sendFocusMode,
      mouse: terminal.modes.mouseTrackingMode,
      wrap: terminal.modes.wraparoundMode,
      alternate: terminal.buffer.active.type === 'alternate',
    }),
    waitFor(wanted, timeout = patience) {
      const isThere = (): boolean => {
        const shown = screen.rows();
        if (typeof wanted === 'function') return wanted(shown);
        return typeof wanted === 'string' ? shown.join('\n').includes(wanted) : wanted.test(shown.join('\n'));
      };
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const timer = setTimeout(() => {
          end();
          const ended = hasEnded ? ' (the program has ended)' : '';
          reject(new Error(`not seen: ${String(wanted)}${ended}\n${screen.rows().join('\n')}`));
        }, timeout);
        const look = (): void => {
          if (!isThere()) return;
          end();
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    bytes: () => bytes,
    kill: (signal) => {
      if (!hasEnded) pty.kill(signal);
    },
    exited,
  };
}
