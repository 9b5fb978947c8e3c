/** An absolute path with `/` between its parts, also where the system writes `\`. */
export function slashed(path: string): string {
  return /^(?:[A-Za-z]:|\\)\\/.test(path) ? path.replaceAll('\\', '/') : path;
}

/** `path` as it is named from `folder`: empty for the folder itself, null if it lies elsewhere. Text only. */
export function relativeTo(path: string, folder: string): string | null {
  const inner = slashed(path);
  const outer = slashed(folder).replace(/\/$/, '');
  if (inner === outer || (outer === '' && inner === '/')) return '';
  return inner.startsWith(`${outer}/`) ? inner.slice(outer.length + 1) : null;
}

/** Whether a normalised path is the folder or lies below it: whole names count, not beginnings. */
export function isInside(path: string, folder: string): boolean {
  return relativeTo(path, folder) !== null;
}
