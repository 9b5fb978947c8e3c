import type { InstructionFile } from '../../ports/content.ts';
import type { SandboxFacts } from '../../ports/sandbox.ts';
import { byteLength } from '../text/cut.ts';
import { basePrompt } from './base-prompt.ts';
import { environmentBlock, type EnvironmentFacts } from './environment.ts';
import { instructionsText } from './instructions.ts';
import { sandboxParagraph } from './sandbox.ts';

export interface SystemPromptFacts {
  environment: EnvironmentFacts;
  /** General first. */
  instructions: readonly InstructionFile[];
  /** Where commands run; left out: as they are. */
  sandbox?: SandboxFacts;
  /** `--system-append`. */
  append?: string;
}

/** One piece of a context and its size in bytes of UTF-8, the blank line before it included. */
export interface PromptPart {
  name: string;
  bytes: number;
}

/**
 * The system prompt of a fresh context: what is the same for everyone first (spec: prompting, "The
 * order of what is sent"). The same facts give the same bytes. `parts` add up to the whole text;
 * `notices` are for the user.
 */
export function systemPrompt(facts: SystemPromptFacts): {
  text: string;
  parts: PromptPart[];
  notices: string[];
} {
  const instructions = instructionsText(facts.instructions);
  const append = (facts.append ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+$/gm, '')
    .trim();
  const named: [string, string][] = [
    ['base prompt', basePrompt],
    ['environment', environmentBlock(facts.environment)],
    ['instruction files', instructions.text],
    ['sandbox', sandboxParagraph(facts.sandbox ?? null)],
    ['system append', append],
  ];
  const used = named.filter(([, text]) => text !== '');
  const parts = used.map(([name, text], at) => ({ name, bytes: byteLength(text) + (at === 0 ? 0 : 2) }));
  return { text: used.map(([, text]) => text).join('\n\n'), parts, notices: instructions.notices };
}
