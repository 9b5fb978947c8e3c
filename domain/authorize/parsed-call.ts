import { errorText } from '../../ports/errors.ts';
import type { ToolUseBlock } from '../../ports/message.ts';
import type { Mode } from '../../ports/mode.ts';
import type { ParsedInput, Tool } from '../../ports/tool.ts';
import { toolBroke } from '../prompt/refusals.ts';

/** A call whose tool is known and whose input is valid. */
export interface ParsedCall {
  block: ToolUseBlock;
  tool: Tool;
  input: Record<string, unknown>;
  /** The mode in which it was made: the approval of a plan changes it before the call runs. */
  mode: Mode;
}

/** Input as the tool takes it; where the tool's own code breaks, that is what is wrong with it. */
export function parseInput(tool: Tool, input: unknown): ParsedInput {
  try {
    return tool.parse(input);
  } catch (error) {
    return { ok: false, error: toolBroke(tool.spec.name, errorText(error)) };
  }
}
