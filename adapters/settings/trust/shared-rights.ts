/**
 * What a key of the settings may do in a project's shared file: be `heard` as it is, only `tighten` what
 * holds without it, be `ignored`, or `wait` for an approval.
 */
export type SharedRight = 'heard' | 'tighten' | 'ignored' | 'wait';

/**
 * The one list of what a project's shared file may say (spec: settings-and-trust, "Layers"). A key stands
 * here by itself or, for sections whose keys differ, by each of them; one that does not is ignored, and a
 * test fails for a key of the schema that is missing here.
 */
export const sharedRights: Readonly<Record<string, SharedRight>> = {
  $schema: 'heard',
  model: 'ignored',
  effort: 'ignored',
  mode: 'ignored',
  roles: 'ignored',
  fallbacks: 'ignored',
  providers: 'ignored',
  models: 'ignored',
  'permissions.allow': 'ignored',
  'permissions.ask': 'tighten',
  'permissions.deny': 'tighten',
  guard: 'ignored',
  'sandbox.type': 'tighten',
  'sandbox.writable': 'ignored',
  'sandbox.deny_read': 'tighten',
  'sandbox.env': 'ignored',
  'sandbox.network': 'ignored',
  'sandbox.allowed_domains': 'ignored',
  'limits.max_steps': 'tighten',
  'limits.budget_usd': 'tighten',
  'limits.tool_output_bytes': 'tighten',
  'limits.bash_timeout': 'tighten',
  checkpoint_retention_days: 'ignored',
  theme: 'ignored',
  keys: 'ignored',
  status_line: 'ignored',
  mouse: 'ignored',
  notifications: 'ignored',
  hooks: 'wait',
  mcp_servers: 'wait',
  plugins: 'wait',
};

/** What a project's shared file may do with the key at a path of at most two names. */
function sharedRight(path: readonly string[]): SharedRight {
  const key = path.join('.');
  return Object.hasOwn(sharedRights, key) ? (sharedRights[key] ?? 'ignored') : 'ignored';
}

/** Sections of which a file of the project is told apart, as definitions that wait for an approval. */
export const waitingSections: readonly string[] = Object.keys(sharedRights).filter(
  (key) => sharedRights[key] === 'wait',
);

/** The sections whose keys have rights of their own. */
const sections: ReadonlySet<string> = new Set(
  Object.keys(sharedRights).flatMap((key) => (key.includes('.') ? [key.split('.', 1)[0] ?? ''] : [])),
);

/** The keys of a shared file that have no say, in its order. */
export function ignoredKeys(settings: Readonly<Record<string, unknown>>): string[][] {
  const paths = Object.entries(settings).flatMap(([key, value]) =>
    sections.has(key) ? Object.keys(value ?? {}).map((name) => [key, name]) : [[key]],
  );
  return paths.filter((path) => sharedRight(path) === 'ignored');
}
