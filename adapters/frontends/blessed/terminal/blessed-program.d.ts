/** The lower layer of blessed, as far as it is used; its types describe the widgets only. */
declare module 'blessed/lib/program.js' {
  import type { EventEmitter } from 'node:events';

  interface ProgramOptions {
    input: NodeJS.ReadableStream;
    output: object;
    /** False: no terminfo is read. */
    tput: false;
    terminal: string;
  }

  class Program extends EventEmitter {
    constructor(options: ProgramOptions);
    readonly cols: number;
    readonly rows: number;
    setMode(mode: string): void;
    resetMode(mode: string): void;
    showCursor(): void;
    hideCursor(): void;
    setMouse(
      modes: { vt200Mouse: boolean; cellMotion: boolean; allMotion?: boolean; sgrMouse: boolean },
      enable: boolean,
    ): void;
    destroy(): void;
  }

  export = Program;
}
