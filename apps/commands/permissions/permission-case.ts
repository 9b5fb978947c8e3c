import { z } from 'zod';
import { oneLine } from '../../../domain/text/one-line.ts';
import { modes } from '../../../ports/mode.ts';

const names = z.record(z.string(), z.string()).default({});

/** One call to decide, with all that stands around it; unknown fields are ignored (spec: permissions, "Explaining"). */
const permissionCase = z.object({
  id: z.union([z.string(), z.number()]).transform(String).default(''),
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  mode: z.enum(modes as [(typeof modes)[number], ...typeof modes]).default('default'),
  sandbox: z.boolean().default(false),
  rules: z
    .object({
      allow: z.array(z.string()).default([]),
      ask: z.array(z.string()).default([]),
      deny: z.array(z.string()).default([]),
    })
    .default({ allow: [], ask: [], deny: [] }),
  files: z
    .object({
      dirs: z.array(z.string()).default([]),
      files: names,
      symlinks: names,
      hardlinks: names,
    })
    .optional(),
  cwd: z.string().optional(),
  expect: z.enum(['allow', 'ask', 'deny']).optional(),
});

export type PermissionCase = z.infer<typeof permissionCase>;

export type CaseFiles = NonNullable<PermissionCase['files']>;

const example = '{"tool":"bash","input":{"command":"ls"},"expect":"allow"}';

/** The case that a line of JSON holds, or what is wrong with it. */
export function parseCase(line: string): { ok: true; case: PermissionCase } | { ok: false; error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line;
    return { ok: false, error: `not JSON: \`${oneLine(shown.trim())}\`; a case looks like ${example}` };
  }
  const parsed = permissionCase.safeParse(value);
  if (parsed.success) return { ok: true, case: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  const said = (issue?.message ?? 'not a case').replace(/^Invalid input: /, '');
  return { ok: false, error: `${field === '' ? '' : `${field}: `}${said}` };
}
