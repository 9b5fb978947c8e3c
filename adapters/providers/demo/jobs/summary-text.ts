const kinds: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript',
  py: 'Python',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  sh: 'shell',
  md: 'Markdown',
  txt: 'text',
  json: 'JSON',
  jsonl: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  toml: 'TOML',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  png: 'picture',
  jpg: 'picture',
  jpeg: 'picture',
  gif: 'picture',
  svg: 'picture',
};

function kindOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = /[^.]\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  return extension === undefined ? 'other' : (kinds[extension] ?? `.${extension}`);
}

/** The most frequent first; names that are equally frequent by name. */
function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/**
 * How many files of which kind, and in which folders. `direct` are the folder's own entries; `total`
 * says how many files there are where `paths` are only some of them.
 */
export function kindsOfFiles(
  paths: readonly string[],
  direct: readonly string[],
  total: number | null,
): string {
  if (paths.length === 0) {
    return direct.length === 0 ? 'There are no files here.' : `It holds ${direct.join(', ')}.`;
  }
  const kindsText = counted(paths.map(kindOf))
    .slice(0, 6)
    .map(([kind, number]) => `${number} ${kind}`)
    .join(', ');
  const folders = direct
    .filter((name) => name.endsWith('/') && name !== '.git/')
    .map((name) => `\`${name}\``);
  const more = folders.length > 12 ? ', …' : '';
  const foldersText = folders.length === 0 ? '' : ` Folders: ${folders.slice(0, 12).join(', ')}${more}.`;
  const some = total === null ? '' : `${total} files; of the newest `;
  const count = `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`;
  return `There are ${some}${count}: ${kindsText}.${foldersText}`.replace('There are 1 ', 'There is 1 ');
}

/** A README's title and its first paragraph. */
export function readmeText(path: string, text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const title = lines.find((line) => /^#\s+\S/.test(line))?.replace(/^#\s+/, '') ?? null;
  const prose = (line: string): boolean => line !== '' && !/^(?:[#<>|!=-]|\[!|```)/.test(line);
  const start = lines.findIndex(prose);
  if (start === -1) return title === null ? '' : `\`${path}\` is headed “${title}” and says no more.`;
  const end = lines.findIndex((line, at) => at > start && !prose(line));
  const paragraph = lines.slice(start, end === -1 ? undefined : end).join(' ');
  const shown = paragraph.length > 400 ? `${paragraph.slice(0, 400).replace(/\s\S*$/, '')} …` : paragraph;
  return `\`${path}\`${title === null ? '' : ` (“${title}”)`} says: ${shown}`;
}

function packageText(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { name, version, description, scripts, dependencies } = value as Record<string, unknown>;
    const keys = (of: unknown): string[] => (typeof of === 'object' && of !== null ? Object.keys(of) : []);
    const list = (of: unknown): string =>
      keys(of)
        .slice(0, 12)
        .map((key) => `\`${key}\``)
        .join(', ');
    return [
      `It is the package ${typeof name === 'string' ? `\`${name}\`` : '(without a name)'}${typeof version === 'string' ? ` ${version}` : ''}`,
      typeof description === 'string' ? `: ${description.replace(/\.$/, '')}` : '',
      '.',
      keys(scripts).length === 0 ? '' : ` Scripts: ${list(scripts)}.`,
      keys(dependencies).length === 0 ? '' : ` It depends on ${list(dependencies)}.`,
    ].join('');
  } catch {
    return null;
  }
}

/** What a package's own file says of it. */
export function manifestText(path: string, text: string): string {
  if (path.endsWith('package.json')) {
    const said = packageText(text);
    if (said !== null) return said;
  }
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}\\s*=?\\s*"?([^"\\n]+)"?`, 'm').exec(text)?.[1]?.trim();
  if (path.endsWith('Makefile')) {
    const targets = [...text.matchAll(/^([\w.-]+):(?!=)/gm)].map(([, target]) => `\`${target}\``);
    return targets.length === 0 ? '' : `\`${path}\` has the targets ${targets.slice(0, 12).join(', ')}.`;
  }
  const name = value(path.endsWith('go.mod') ? 'module' : 'name');
  const description = value('description');
  if (name === undefined) return '';
  return `\`${path}\` calls it \`${name}\`${description === undefined ? '' : `: ${description}`}.`;
}
