import { isMap, isCollection, parseDocument } from 'yaml';

/**
 * Sets the value at a path of a YAML document, or takes the key away where `value` is undefined.
 * Comments, order and line ends stay; blanks within lines may change. The document must be sound. This
 * module is loaded only when there is one.
 */
export function editYaml(
  raw: string,
  path: readonly string[],
  value: unknown,
): { text: string } | { refused: { path: readonly string[] } } {
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  const document = parseDocument(raw.slice(mark.length));
  for (let at = 0; at < path.length; at += 1) {
    const holder = at === 0 ? document.contents : document.getIn(path.slice(0, at), true);
    if (holder === undefined || holder === null) break;
    if (isMap(holder)) continue;
    // A key without a value, as in `limits:`, is a place for one.
    if (!isCollection(holder) && document.getIn(path.slice(0, at)) === null) {
      document.deleteIn(path.slice(0, at));
      break;
    }
    return { refused: { path: path.slice(0, at) } };
  }
  if (value === undefined) {
    if (!document.hasIn(path)) return { text: raw };
    document.deleteIn(path);
  } else document.setIn(path, value);
  const text = document.toString({ lineWidth: 0 });
  const eol = /\r\n|\n/.exec(raw)?.[0] ?? '\n';
  return { text: mark + text.replaceAll('\n', eol) };
}
