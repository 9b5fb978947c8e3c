import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';

/** What turns the order of characters round, so that a text reads other than it is. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Separators of lines and paragraphs, which regular expressions take for line ends and terminals do not. */
const separators = /[\u2028\u2029]/g;
const unusual = /[\t\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

const tabStop = 4;

/** A line with blanks in place of its tabs; columns are counted in characters. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let text = '';
  for (const [at, part] of line.split('\t').entries()) {
    if (at > 0) text += ' '.repeat(tabStop - (text.length % tabStop));
    text += part;
  }
  return text;
}

/**
 * Text of others as it may be drawn: without control sequences, with blanks for tabs and a sign for what
 * would turn the direction of writing. Each line is cleaned by itself, so that a text cut at line ends
 * gives the same in parts.
 */
export function sourceText(text: string): string {
  const cleaned = cleanTerminalText(text);
  if (!unusual.test(cleaned)) return cleaned;
  return cleaned
    .replaceAll(separators, '\n')
    .replaceAll(turning, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`)
    .replaceAll(halves, '\ufffd')
    .split('\n')
    .map(withoutTabs)
    .join('\n');
}
