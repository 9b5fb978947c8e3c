import type { Approval } from '../../../adapters/settings/trust/approvals.ts';
import type { Definitions, JudgedDefinition } from '../../../adapters/settings/trust/definitions.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import { definitionText } from '../../folder/definitions.ts';
import type { CommandOutput } from '../command-output.ts';

const day = (time: string): string => oneLine(time.slice(0, 10));

function stateText(one: JudgedDefinition): string {
  switch (one.state) {
    case 'approved':
      return `approved since ${day(one.since)}`;
    case 'waiting':
      return 'waits for approval';
    case 'changed':
      return `waits for approval: it has changed since it was approved (${day(one.since)})`;
    case 'unusable':
      return `cannot be approved: ${one.why}`;
    default:
      return one satisfies never;
  }
}

/** A definition in full: what would run, and which files an approval is pinned to. */
export function definitionLines(one: JudgedDefinition): string[] {
  return [
    definitionText(one),
    ...one.runs.map((line) => `    ${line}`),
    ...one.files.map(({ path }) => `    pinned with it: ${oneLine(path)}`),
  ];
}

function row(one: JudgedDefinition): object {
  const { kind, name, file, folder, state, runs, hash, files } = one;
  return {
    kind,
    name,
    file,
    folder,
    state,
    ...('since' in one ? { since: one.since } : {}),
    ...('why' in one ? { why: one.why } : {}),
    runs,
    hash,
    files,
  };
}

const goneRow = ({ kind, name, folder, hash, approved }: Approval): object => ({
  kind,
  name,
  folder,
  state: 'gone',
  since: approved,
  hash,
});

/** `larik trust list`. */
export function showDefinitions(
  { definitions, stale, problems }: Definitions,
  json: boolean,
  io: CommandOutput,
): void {
  for (const problem of problems) io.stderr(`larik trust: warning: ${problem}\n`);
  if (json) {
    io.stdout(`${JSON.stringify([...definitions.map(row), ...stale.map(goneRow)])}\n`);
    return;
  }
  for (const one of definitions) {
    const [head = '', ...lines] = definitionLines(one);
    io.stdout(`${[`${head}: ${stateText(one)}`, ...lines].join('\n')}\n`);
  }
  for (const { name, approved } of stale) {
    io.stdout(`${oneLine(name)}: approved since ${day(approved)}, and no longer there\n`);
  }
  if (definitions.length + stale.length === 0) {
    io.stderr('No file of this project names hooks, MCP servers or plugins.\n');
  } else io.stderr('This version of larik runs none of these yet, approved or not.\n');
}
