import { ok, warn, type Finding } from './check.ts';

/** What is known of the terminal without asking it. */
export interface TerminalFacts {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** Standard output or standard error is one. */
  isTerminal: boolean;
  columns: number | null;
  rows: number | null;
  /** Bits of colour, as Node tells; null where it is no terminal. */
  colourBits: number | null;
}

function colours({ env, colourBits }: TerminalFacts): string {
  if ((env['NO_COLOR'] ?? '') !== '') return 'no colours (NO_COLOR is set)';
  if (colourBits === null || colourBits <= 1) return 'no colours';
  return colourBits >= 24 ? 'all colours' : `${2 ** colourBits} colours`;
}

/** The one of the variables of the locale that counts for characters. */
function locale(env: TerminalFacts['env']): { name: string; value: string } | null {
  for (const name of ['LC_ALL', 'LC_CTYPE', 'LANG']) {
    const value = env[name] ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

function judgeLocale({ platform, env }: TerminalFacts): Finding[] {
  if (platform === 'win32') return [];
  const set = locale(env);
  // macOS is UTF-8 whatever its variables say.
  if (set === null && platform === 'darwin') return [];
  if (set !== null && /utf-?8/i.test(set.value)) return [];
  const text = set === null ? 'no locale is set' : `${set.name}=${set.value} is no UTF-8 locale`;
  return [
    warn('terminal', `${text}: other letters than English ones may be shown wrong`, 'export LANG=C.UTF-8'),
  ];
}

/** Size, colours and characters of the terminal. */
export function judgeTerminal(facts: TerminalFacts): Finding[] {
  const { isTerminal, columns, rows, env } = facts;
  const wrong = judgeLocale(facts);
  if (!isTerminal) return [ok('terminal', 'output goes to no terminal'), ...wrong];
  if (env['TERM'] === 'dumb' || (env['TERM'] ?? '') === '') {
    if (facts.platform !== 'win32') {
      const text = env['TERM'] === 'dumb' ? 'TERM=dumb: lines only' : 'TERM is not set: lines only';
      return [warn('terminal', text, 'export TERM=xterm-256color, if it is such a terminal'), ...wrong];
    }
  }
  const size = columns === null || rows === null ? 'of unknown size' : `${columns} × ${rows}`;
  const text = `${env['TERM'] ?? 'a terminal'}, ${size}, ${colours(facts)}`;
  const small = columns !== null && columns > 0 && columns < 60;
  return [
    small ? warn('terminal', text, 'make it at least 60 columns wide') : ok('terminal', text),
    ...wrong,
  ];
}
