import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';
import type { Capabilities } from './capabilities.ts';

const endOfString = '\u001b\\';

/** Bytes that terminals surely take for the clipboard, in base64. */
const longestCopy = 100_000;

/** GNU screen passes strings of so many bytes on at once. */
const screenPiece = 512;

/** One line for titles and notifications: nothing in it ends the sequence that carries it. */
function titleText(text: string, most: number): string {
  const line = cleanTerminalText(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return [...line].slice(0, most).join('').trim();
}

/** A sequence for the terminal outside, through what stands between. */
function passed(sequence: string, within: Capabilities['within']): string {
  if (within === 'tmux') return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}${endOfString}`;
  if (within !== 'screen') return sequence;
  const pieces = sequence.match(new RegExp(`[^]{1,${screenPiece}}`, 'g')) ?? [];
  return pieces.map((piece) => `\u001bP${piece}${endOfString}`).join('');
}

/**
 * Text for the clipboard (OSC 52); null if it is too long for it, or the terminal takes none. tmux takes
 * the sequence itself with `set-clipboard on`, or passes it on with `allow-passthrough on`: it gets both.
 */
export function copySequence(
  text: string,
  { clipboard, within }: Pick<Capabilities, 'clipboard' | 'within'>,
): string | null {
  const data = Buffer.from(text, 'utf8').toString('base64');
  if (!clipboard || data.length > longestCopy) return null;
  const sequence = `\u001b]52;c;${data}\u0007`;
  return within === 'tmux' ? sequence + passed(sequence, within) : passed(sequence, within);
}

/** A notification in the way that the terminal is known to take, and the bell elsewhere. */
export function notifySequence(text: string, { notices }: Pick<Capabilities, 'notices'>): string {
  const line = titleText(text, 200);
  if (notices === 'bell' || line === '') return '\u0007';
  return notices === 'osc 9' ? `\u001b]9;${line}\u0007` : `\u001b]777;notify;larik;${line}\u0007`;
}

export function titleSequence(text: string): string {
  return `\u001b]2;${titleText(text, 200)}${endOfString}`;
}

/** Asks for the colour of the background. */
export const backgroundQuestion = `\u001b]11;?${endOfString}`;
