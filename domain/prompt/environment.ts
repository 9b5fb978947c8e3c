import { oneLine } from '../text/one-line.ts';

/** What a context is told of its surroundings. Nothing in it may change within one day in one folder. */
export interface EnvironmentFacts {
  /** Absolute. */
  cwd: string;
  /** The git root, or null outside a repository. */
  project: string | null;
  /** System and processor, such as `linux x64`. */
  platform: string;
  /** The shell that commands run in, such as `bash`. */
  shell: string;
  /** Local day on which the context began, `yyyy-mm-dd`. */
  date: string;
  /** Somebody is there to answer questions. */
  interactive: boolean;
}

/** The `<env>` block: one fact a line, always these, always in this order (spec: prompting). */
export function environmentBlock(facts: EnvironmentFacts): string {
  const lines: [string, string][] = [
    ['cwd', facts.cwd],
    ['project', facts.project ?? 'none'],
    ['platform', facts.platform],
    ['shell', facts.shell],
    ['date', facts.date],
    ['interactive', facts.interactive ? 'yes' : 'no: nobody answers questions'],
  ];
  return `<env>\n${lines.map(([key, value]) => `${key}: ${oneLine(value)}`).join('\n')}\n</env>`;
}
