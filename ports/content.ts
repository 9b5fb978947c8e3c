import { token } from './token.ts';

/** A file that says how to work here, such as AGENTS.md. */
export interface InstructionFile {
  path: string;
  text: string;
}

/** What people wrote for the agent to find (spec: settings-and-trust, "More"). */
export interface Content {
  /** General first; what cannot be read is left out and named in `problems`. */
  instructions(): Promise<{ files: InstructionFile[]; problems: string[] }>;
}
export const Content = token<Content>('Content');
