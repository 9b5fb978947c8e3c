/** Names of file types for `type`, and the patterns that they stand for. */
export const fileTypes: Readonly<Record<string, readonly string[]>> = {
  c: ['*.c', '*.h'],
  clojure: ['*.clj', '*.cljc', '*.cljs'],
  cpp: ['*.cc', '*.cpp', '*.cxx', '*.h', '*.hh', '*.hpp', '*.hxx', '*.inl'],
  cs: ['*.cs'],
  css: ['*.css', '*.scss', '*.sass', '*.less'],
  dart: ['*.dart'],
  docker: ['Dockerfile', '*.dockerfile', 'Dockerfile.*'],
  elixir: ['*.ex', '*.exs', '*.eex', '*.heex'],
  go: ['*.go'],
  graphql: ['*.graphql', '*.gql'],
  haskell: ['*.hs', '*.lhs'],
  html: ['*.html', '*.htm'],
  java: ['*.java'],
  js: ['*.js', '*.cjs', '*.mjs', '*.jsx'],
  json: ['*.json', '*.jsonc', '*.jsonl'],
  kotlin: ['*.kt', '*.kts'],
  lua: ['*.lua'],
  make: ['Makefile', 'makefile', 'GNUmakefile', '*.mk'],
  md: ['*.md', '*.mdx', '*.markdown'],
  php: ['*.php'],
  proto: ['*.proto'],
  py: ['*.py', '*.pyi'],
  r: ['*.r', '*.R', '*.Rmd'],
  ruby: ['*.rb', '*.rake', 'Gemfile', 'Rakefile', '*.gemspec'],
  rust: ['*.rs'],
  scala: ['*.scala', '*.sbt'],
  sh: ['*.sh', '*.bash', '*.zsh', '*.fish'],
  sql: ['*.sql'],
  svelte: ['*.svelte'],
  swift: ['*.swift'],
  terraform: ['*.tf', '*.tfvars'],
  toml: ['*.toml'],
  ts: ['*.ts', '*.cts', '*.mts', '*.tsx'],
  txt: ['*.txt'],
  vue: ['*.vue'],
  xml: ['*.xml', '*.xsd', '*.xsl', '*.svg'],
  yaml: ['*.yaml', '*.yml'],
  zig: ['*.zig'],
};

/** Other names of the same. */
const others: Readonly<Record<string, string>> = {
  csharp: 'cs',
  golang: 'go',
  javascript: 'js',
  jsx: 'js',
  markdown: 'md',
  python: 'py',
  rb: 'ruby',
  rs: 'rust',
  tsx: 'ts',
  typescript: 'ts',
  yml: 'yaml',
};

/** The patterns of a type, or null if there is no such type. */
export function typePatterns(type: string): readonly string[] | null {
  const asked = type.toLowerCase().replace(/^\./, '');
  const name = Object.hasOwn(others, asked) ? (others[asked] ?? asked) : asked;
  return Object.hasOwn(fileTypes, name) ? (fileTypes[name] ?? null) : null;
}
