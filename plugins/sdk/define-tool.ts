import { z } from 'zod';
import { isPortError } from '../../ports/errors.ts';
import type {
  ParsedInput,
  Tool,
  ToolContext,
  ToolEffect,
  ToolResult,
  ToolSubject,
} from '../../ports/tool.ts';
import { describeIssues } from './input-errors.ts';
import { flatSchema, sentSchema, type FieldSchema, type InputSchema } from './input-schema.ts';
import { repairInput } from './repair-input.ts';

/** A tool as its author writes it. `input` is a flat zod object whose fields are all described. */
export interface ToolDefinition<S extends z.ZodObject> {
  name: string;
  description: string;
  effect: ToolEffect;
  /** May run beside others; by default what `effect` implies: all but `write` may. */
  parallel?: boolean;
  subject?: ToolSubject;
  input: S;
  run(input: z.output<S>, context: ToolContext): Promise<ToolResult>;
}

/**
 * Makes a tool from one zod object: its JSON schema, its validation and the type of its input
 * (spec: plugins, "Typed surface"). What models get slightly wrong in the input is repaired first
 * (spec: prompting, "Input as models really send it"). A file, process or HTTP error that `run` lets through
 * becomes an error result.
 */
export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { name, description, effect, subject, input } = definition;
  let schema: InputSchema | undefined;
  let sent: FieldSchema | undefined;
  const inputSchema = () => (schema ??= flatSchema(z.toJSONSchema(input, { io: 'input' })));
  return {
    spec: {
      name,
      description,
      // Built when first asked for: a run that needs no tools does not pay for their schemas.
      get inputSchema() {
        return (sent ??= sentSchema(inputSchema()));
      },
    },
    effect,
    parallel: definition.parallel ?? effect !== 'write',
    ...(subject === undefined ? {} : { subject }),
    parse: (sent) => parse(name, input, inputSchema(), sent),
    async run(checked, context) {
      try {
        return await definition.run(checked as z.output<S>, context);
      } catch (error) {
        if (isPortError(error, 'file') || isPortError(error, 'process') || isPortError(error, 'http')) {
          return { content: error.message, isError: true };
        }
        throw error;
      }
    },
  };
}

function parse(tool: string, input: z.ZodObject, schema: InputSchema, sent: unknown): ParsedInput {
  const repaired = repairInput(sent, schema);
  if (!repaired.ok) return { ok: false, error: `${tool}: ${repaired.error}` };
  // Compiling a parser costs more than the few calls of a session give back.
  const result = input.safeParse(repaired.input, { jitless: true });
  if (result.success) return { ok: true, input: result.data };
  return { ok: false, error: describeIssues(tool, result.error.issues, repaired.input, schema) };
}
