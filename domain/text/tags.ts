const own =
  /<(?=\/?\s*(?:system-note|hook-context|hook-feedback|task-notification|instructions|mentioned|env|summary)\b)/gi;

/**
 * Text of others without the tags through which larik speaks to the model, so that a file cannot
 * speak in larik's name where it stands outside a tool result. Only the `<` changes.
 */
export function withoutOwnTags(text: string): string {
  return text.replaceAll(own, '&lt;');
}
