/** Longer ones are no paths. */
const longestPath = 4096;

/** Decoded, or null where the escapes are wrong. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The path of a `file:` URL of this machine. */
function fileUrlPath(url: string): string | null {
  const [, host = '', rest = ''] = /^file:\/\/([^/]*)(\/.*)$/i.exec(url) ?? [];
  if (rest === '' || (host !== '' && host.toLowerCase() !== 'localhost')) return null;
  const path = decoded(rest);
  // A drive stands behind a slash: `/C:/Users`.
  return path === null ? null : path.replace(/^\/(?=[A-Za-z]:[/\\])/, '');
}

function isWindowsPath(text: string): boolean {
  return /^(?:[A-Za-z]:[/\\]|\\\\[^\\/]+\\)/.test(text);
}

/**
 * The one absolute path that a terminal pastes when a file is dropped on it, without quotes and
 * escapes: `'/a b.png'`, `/a\ b.png`, `file:///a%20b.png`, `"C:\a b.png"`. Null: it is none, or more.
 */
export function droppedPath(text: string): string | null {
  const whole = text.trim();
  if (whole === '' || whole.length > longestPath || /[\n\r\0]/.test(whole)) return null;
  const single = /^'((?:[^']|'\\'')+)'$/.exec(whole)?.[1]?.replaceAll("'\\''", "'");
  const quoted = single ?? /^"([^"]+)"$/.exec(whole)?.[1];
  const bare = quoted ?? whole;
  if (/^file:/i.test(bare)) return /\s/.test(bare) ? null : pathOrNull(fileUrlPath(bare));
  if (isWindowsPath(bare)) return quoted !== undefined || !/\s[A-Za-z]:[/\\]/.test(bare) ? bare : null;
  if (quoted !== undefined) return pathOrNull(quoted);
  // A blank that is not escaped parts two paths, or a path from words.
  if (/(?<!\\)(?:\\\\)*\s/.test(bare)) return null;
  // `/help` is a command, not a file in the root folder.
  return /^\/[^/.]*$/.test(bare) ? null : pathOrNull(bare.replaceAll(/\\(.)/g, '$1'));
}

function pathOrNull(path: string | null): string | null {
  if (path === null || /[\n\r\0]/.test(path)) return null;
  const isAbsolute = (path.startsWith('/') && path !== '/') || isWindowsPath(path);
  return isAbsolute ? path : null;
}

/** What mentions the path in a prompt, with a blank behind it; a path with `"` and blanks stays bare. */
export function mentionOf(path: string): string {
  const isPlain = !/[\s"'`<>|*]/.test(path) && !/[.,;:!?)\]}]$/.test(path) && !/:\d+(?:-\d+)?$/.test(path);
  if (isPlain) return `@${path} `;
  return path.includes('"') ? `${path} ` : `@"${path}" `;
}
