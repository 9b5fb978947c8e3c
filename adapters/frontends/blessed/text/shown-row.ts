import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';

/** What turns text round or shows nothing, but for what joins letters (U+200C, U+200D) and chooses a form. */
const unseen = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** A part of a row: blanks at its ends stay. */
export function shownPart(text: string): string {
  return cleanTerminalText(text)
    .replaceAll(unseen, '')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/\s+/g, ' ');
}

/**
 * Text of others as one row that can be told at a glance: line ends and tabs are blanks, nothing in it
 * steers a terminal or changes the direction. What a person decides about goes through `oneLine`
 * instead, which hides nothing.
 */
export function shownRow(text: string): string {
  return shownPart(text).trim();
}
