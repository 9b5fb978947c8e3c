import type { ColourDepth } from '../look/theme.ts';

/** What the terminal can do, as far as its environment tells. */
export interface Capabilities {
  colours: ColourDepth;
  /** False: only ASCII is certain to be shown. */
  unicode: boolean;
  /** Links (OSC 8) are shown as such, or do no harm. */
  links: boolean;
  /** Takes modes for more exact keys (kitty's protocol, modifyOtherKeys), or ignores them. */
  exactKeys: boolean;
  /** Takes text for the clipboard (OSC 52), or ignores it. */
  clipboard: boolean;
  /** Takes titles and questions (OSC), or ignores them. */
  titles: boolean;
  /** How it tells the user something while it has no focus. */
  notices: 'osc 9' | 'osc 777' | 'bell';
  /** Stands between us and the terminal, which sequences for it must be wrapped for. */
  within: 'tmux' | 'screen' | null;
  /** The network is in between: what belongs together arrives apart. */
  remote: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const depths: Readonly<Record<string, ColourDepth>> = { 0: 1, 1: 16, 2: 256, 3: 16_777_216 };

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function forcedColours(value: string | undefined): ColourDepth | null {
  if (value === undefined) return null;
  if (value === 'false') return 1;
  return depths[value] ?? null;
}

const truecolourPrograms = new Set([
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'Hyper',
  'rio',
  'WarpTerminal',
]);
const truecolourTerms =
  /^(?:xterm-kitty|xterm-ghostty|ghostty|alacritty|foot|wezterm|contour|rio|st-|.*-direct$)|truecolor/;

function coloursOf(env: Environment, term: string): ColourDepth {
  // https://no-color.org; FORCE_COLOR says how many.
  const forced = forcedColours(env['FORCE_COLOR']);
  if (forced !== null) return forced;
  if (isSet(env['NO_COLOR']) || term === 'dumb') return 1;
  if (/^(?:linux|vt\d|ansi|cons25)/.test(term)) return 16;
  if (/truecolor|24bit/i.test(env['COLORTERM'] ?? '')) return 16_777_216;
  if (truecolourTerms.test(term) || isSet(env['WT_SESSION'])) return 16_777_216;
  if (truecolourPrograms.has(env['TERM_PROGRAM'] ?? '') && !isWithin(env, term)) return 16_777_216;
  if (isSet(env['COLORTERM']) || /256|^(?:xterm|tmux|konsole|gnome|rxvt)/.test(term)) return 256;
  return 16;
}

function isWithin(env: Environment, term: string): boolean {
  return withinOf(env, term) !== null;
}

function withinOf(env: Environment, term: string): Capabilities['within'] {
  if (isSet(env['TMUX']) || term.startsWith('tmux')) return 'tmux';
  return isSet(env['STY']) || term.startsWith('screen') ? 'screen' : null;
}

function noticesOf(env: Environment, term: string): Capabilities['notices'] {
  // Neither of them passes these on; a bell marks the window.
  if (isWithin(env, term)) return 'bell';
  if (/^(?:foot|rxvt)/.test(term) || isSet(env['VTE_VERSION'])) return 'osc 777';
  const isKnown = ['iTerm.app', 'WezTerm', 'ghostty'].includes(env['TERM_PROGRAM'] ?? '');
  return isKnown || /kitty|ghostty|wezterm/.test(term) ? 'osc 9' : 'bell';
}

/** The first of the variables that is set decides; without any, terminals of today take UTF-8. */
function isUnicode(env: Environment, term: string): boolean {
  // Its font has no more than 512 signs.
  if (term === 'linux' || term === 'dumb' || term.startsWith('vt')) return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet);
  return locale === undefined || !/^(?:C|POSIX)$|iso-?8859|ascii/i.test(locale);
}

/** What the environment says of the terminal. No question is asked, so that nothing waits for an answer. */
export function capabilitiesOf(env: Environment): Capabilities {
  const term = env['TERM'] ?? 'dumb';
  const isPlain = term === 'dumb' || term === 'linux' || /^(?:vt\d|ansi|cons25)/.test(term);
  const within = withinOf(env, term);
  return {
    colours: coloursOf(env, term),
    unicode: isUnicode(env, term),
    // Screen shows the addresses as text.
    links: !isPlain && within !== 'screen',
    exactKeys: !isPlain && within !== 'screen',
    clipboard: !isPlain,
    titles: !isPlain,
    notices: noticesOf(env, term),
    within,
    remote: isSet(env['SSH_CONNECTION']) || isSet(env['SSH_TTY']),
  };
}
