import { visibleLine } from './terminal/visible-text.ts';

/**
 * Text in one line, with its control and invisible characters written as escapes and long runs of
 * blanks as their number: for names that others chose, such as a folder's, where a line break would
 * begin a line of its own.
 */
export function oneLine(text: string): string {
  return visibleLine(text);
}

const own =
  /<(?=\/?\s*(?:system-note|hook-context|hook-feedback|task-notification|instructions|mentioned|env|summary)\b)/gi;

/**
 * Text of others without the tags through which larik speaks to the model, so that a file cannot
 * speak in larik's name where it stands outside a tool result. Only the `<` changes.
 */
export function withoutOwnTags(text: string): string {
  return text.replaceAll(own, '&lt;');
}
