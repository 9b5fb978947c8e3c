import type { Environment } from './overrides.ts';
import type { SettingsFile } from './schema.ts';

/** Why a text cannot be expanded, and where it stands. Holds nothing of the text. */
export interface ExpansionProblem {
  path: readonly PropertyKey[];
  text: string;
}

/** The texts in which variables stand (spec: settings-and-trust, "Layers"); `*` is any name or index. */
const expanded: readonly (readonly string[])[] = [
  ['providers', '*', 'base_url'],
  ['providers', '*', 'api_key'],
  ['providers', '*', 'api_key_command', '*'],
  ['providers', '*', 'headers', '*'],
  ['sandbox', 'writable', '*'],
  ['sandbox', 'deny_read', '*'],
];

const form = /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{/g;

function expandText(text: string, env: Environment): { text: string } | { problem: string } {
  const problems: string[] = [];
  const result = text.replaceAll(form, (found, name: string | undefined, fallback: string | undefined) => {
    if (found === '$$') return '$';
    if (name === undefined) {
      problems.push(
        '${ begins a variable: expected ${NAME} or ${NAME:-default}; for the signs themselves write $${',
      );
      return found;
    }
    const value = env[name];
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) {
      problems.push(`the variable ${name} is not set; set it, or write \${${name}:-default}`);
    }
    return value ?? '';
  });
  return problems[0] === undefined ? { text: result } : { problem: problems[0] };
}

/**
 * Puts the values of variables into the texts that may hold them: `${NAME}`, which must be set, and
 * `${NAME:-default}` for one that is not set or empty; `$$` is a dollar sign. Nothing else is changed.
 */
export function expandVariables(
  settings: SettingsFile,
  env: Environment,
): { settings: SettingsFile; problems: ExpansionProblem[] } {
  const copy = structuredClone(settings);
  const problems: ExpansionProblem[] = [];
  const visit = (holder: unknown, pattern: readonly string[], path: readonly PropertyKey[]): void => {
    const [step, ...rest] = pattern;
    if (typeof holder !== 'object' || holder === null || step === undefined) return;
    const all = holder as Record<string, unknown>;
    const keys = step === '*' ? Object.keys(all) : Object.hasOwn(all, step) ? [step] : [];
    for (const key of keys) {
      const here = [...path, Array.isArray(holder) ? Number(key) : key];
      const value = all[key];
      if (rest.length > 0) visit(value, rest, here);
      else if (typeof value === 'string') {
        const result = expandText(value, env);
        if ('text' in result) all[key] = result.text;
        else problems.push({ path: here, text: result.problem });
      }
    }
  };
  for (const pattern of expanded) visit(copy, pattern, []);
  return { settings: copy, problems };
}
