/** Signs of the screen. Each takes one cell, in both forms. */
export interface Glyphs {
  /** In front of what the user wrote. */
  bar: string;
  /** In front of the input. */
  prompt: string;
  /** In front of what the model says. */
  answer: string;
  spinner: readonly string[];
  waiting: string;
  done: string;
  failed: string;
  denied: string;
  stopped: string;
  notice: string;
  /** In front of what a command says. */
  output: string;
  /** In front of what belongs to the row above. */
  branch: string;
  bullet: string;
  quote: string;
  rule: string;
  selected: string;
  more: string;
  /** In place of lines of a text that are the same as before. */
  skipped: string;
  newBelow: string;
  between: string;
  /** From what was to what is. */
  arrow: string;
  full: string;
  empty: string;
  checked: string;
  unchecked: string;
  recording: string;
  queued: string;
  box: {
    topLeft: string;
    topRight: string;
    bottomLeft: string;
    bottomRight: string;
    across: string;
    down: string;
  };
}

export const unicodeGlyphs: Glyphs = {
  bar: '▌',
  prompt: '›',
  answer: '●',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  waiting: '○',
  done: '✓',
  failed: '✗',
  denied: '⊘',
  stopped: '■',
  notice: '•',
  output: '◆',
  branch: '└',
  bullet: '•',
  quote: '│',
  rule: '─',
  selected: '❯',
  more: '…',
  skipped: '⋯',
  newBelow: '↓',
  between: '·',
  arrow: '→',
  full: '━',
  empty: '─',
  checked: '✓',
  unchecked: '○',
  recording: '●',
  queued: '»',
  box: { topLeft: '╭', topRight: '╮', bottomLeft: '╰', bottomRight: '╯', across: '─', down: '│' },
};

export const asciiGlyphs: Glyphs = {
  bar: '|',
  prompt: '>',
  answer: '*',
  spinner: ['|', '/', '-', '\\'],
  waiting: 'o',
  done: '+',
  failed: 'x',
  denied: '!',
  stopped: '#',
  notice: '*',
  output: '=',
  branch: '`',
  bullet: '-',
  quote: '|',
  rule: '-',
  selected: '>',
  more: '~',
  skipped: ':',
  newBelow: 'v',
  between: '-',
  arrow: '>',
  full: '=',
  empty: '-',
  checked: '+',
  unchecked: 'o',
  recording: '*',
  queued: '>',
  box: { topLeft: '+', topRight: '+', bottomLeft: '+', bottomRight: '+', across: '-', down: '|' },
};

/** What drawing depends on beside what is drawn. */
export interface Look {
  glyphs: Glyphs;
  /** Milliseconds since 1970: durations of what runs, and the spinner. */
  now: number;
  /** What shows results in full, where it is not ctrl+o; null: no key does. */
  expandKey?: string | null;
}

/** The spinner's sign of this moment. */
export function spinnerOf({ glyphs, now }: Look): string {
  return glyphs.spinner[Math.floor(now / 100) % glyphs.spinner.length] ?? '';
}
