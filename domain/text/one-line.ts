const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text in one line, with its control and invisible characters written as escapes: for names that
 * others chose, such as a folder's, where a line break would begin a line of its own.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return escapes[character] ?? `\\u{${code.toString(16)}}`;
  });
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
