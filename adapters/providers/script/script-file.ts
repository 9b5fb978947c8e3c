import { z } from 'zod';
import { PortError, providerErrorKinds } from '../../../ports/errors.ts';

const count = z.number().int().nonnegative();

const responseSchema = z.strictObject({
  text: z.string().optional(),
  thinking: z.string().optional(),
  calls: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        // Null stands for arguments that were cut off.
        input: z.record(z.string(), z.unknown()).nullable().default({}),
        id: z.string().min(1).optional(),
      }),
    )
    .optional(),
  stop_reason: z
    .enum(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'pause_turn', 'context_window'])
    .optional(),
  usage: z
    .strictObject({
      input: count.default(0),
      output: count.default(0),
      cache_read: count.default(0),
      cache_write: count.default(0),
    })
    .optional(),
  error: z
    .strictObject({
      kind: z.enum(providerErrorKinds),
      message: z.string().optional(),
      status: z.number().int().optional(),
      retryable: z.boolean().optional(),
      /** Milliseconds. */
      retry_after: z.number().nonnegative().optional(),
    })
    .optional(),
  expect: z.string().min(1).optional(),
});

const scriptSchema = z.array(responseSchema);

/** One answer of a script (spec: providers, `script`). `text` or `thinking` before an `error` is shown first. */
export type ScriptResponse = z.output<typeof responseSchema>;

function invalid(text: string): PortError<'provider'> {
  return new PortError('provider', 'invalid_request', text, { retryable: false });
}

/** `[1].calls[0].name`, counted from 0 as in the file's data. */
function place(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
}

async function parseText(file: string, text: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(text);
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw invalid(`The script ${file} cannot be read: ${message}`);
  }
}

/** Reads a script: YAML or JSON, a list of responses. Throws `PortError<'provider'>` that names place and cause. */
export async function parseScript(file: string, text: string): Promise<ScriptResponse[]> {
  const result = scriptSchema.safeParse(await parseText(file, text));
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, 5).map((issue) => {
    const at = place(issue.path);
    return `${at === '' ? 'the whole' : at}: ${issue.message}`;
  });
  throw invalid(`The script ${file} is not a list of responses as they should be. ${problems.join('; ')}`);
}
