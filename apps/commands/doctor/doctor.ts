import { jsonText } from '../../../domain/text/json-text.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { CommandOutput } from '../command-output.ts';
import { runChecks, type Check, type Finding } from './check.ts';

/** Milliseconds that one check may take. */
const checkMs = 4000;

function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ level, name, text, remedy }) => {
    const told = `${level.padEnd(4)}  ${name.padEnd(width)}  ${oneLine(text)}`;
    return remedy === null ? told : `${told} — ${oneLine(remedy)}`;
  });
  return `${lines.join('\n')}\n`;
}

/**
 * `larik doctor [--json]` (spec: cli): runs the checks and prints a line for each finding, or one JSON
 * value. Returns the exit code: 1 if one of them failed, else 0.
 */
export async function doctorCommand(
  checks: readonly Check[],
  json: boolean,
  io: CommandOutput,
  limitMs: number = checkMs,
): Promise<number> {
  const findings = await runChecks(checks, limitMs);
  io.stdout(json ? `${jsonText(findings)}\n` : table(findings));
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}
