import { changeApprovals, type Approval } from '../../adapters/settings/trust/approvals.ts';
import type { Definitions, JudgedDefinition } from '../../adapters/settings/trust/definitions.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { isPortError } from '../../ports/errors.ts';
import { expected } from '../command-line/help.ts';
import { definitionText } from '../folder/definitions.ts';
import type { CommandOutput } from './command-output.ts';
import { definitionLines, showDefinitions } from './trust/show.ts';

export interface TrustArguments {
  action: string | undefined;
  operands: string[];
  /** Everything that waits, or everything that is approved. */
  all: boolean;
  /** Approve without asking. */
  yes: boolean;
  json: boolean;
}

export interface TrustSources {
  /** The project's canonical path. */
  project: string;
  /** The file of approvals. */
  approvals: string;
  /** The moment, as it is noted with an approval. */
  now(): Date;
  load(): Promise<Definitions>;
  /** Puts a question; null if nobody is there to answer. */
  confirm: ((question: string) => Promise<boolean>) | null;
}

/**
 * `larik trust [list|approve|revoke]` (spec: settings-and-trust, "Layers"): what would run because a file
 * of the project says so, and the user's word on it. Returns the exit code: 0, 1 for approvals that cannot
 * be written and for an answer of no, 2 for bad usage and names that there are not. Runs nothing of it.
 */
export async function trustCommand(
  args: TrustArguments,
  sources: TrustSources,
  io: CommandOutput,
): Promise<number> {
  const { action = 'list', operands, all, yes, json } = args;
  try {
    if (action === 'list' && operands.length === 0 && !all && !yes) {
      showDefinitions(await sources.load(), json, io);
      return 0;
    }
    if (action === 'approve' && !(all && operands.length > 0)) return await approve(args, sources, io);
    if (action === 'revoke' && all !== operands.length > 0 && !yes) return await revoke(args, sources, io);
  } catch (error) {
    if (!isPortError(error, 'settings')) throw error;
    io.stderr(`larik trust ${action}: ${error.message}\n`);
    return error.kind === 'io' ? 1 : 2;
  }
  io.stderr(`${expected('trust')}\n`);
  return 2;
}

/** Tells that something of this name is not there, and what is. */
function unknown(action: string, name: string, names: readonly string[], io: CommandOutput): number {
  const [what, none] =
    action === 'revoke'
      ? ['approval of', 'nothing is approved here']
      : ['definition', 'there is nothing to name'];
  const there = names.length === 0 ? none : `there are: ${names.map(oneLine).join(', ')}`;
  io.stderr(`larik trust ${action}: there is no ${what} ${oneLine(name)}; ${there}\n`);
  return 2;
}

const isPending = ({ state }: JudgedDefinition): boolean => state === 'waiting' || state === 'changed';

async function approve(args: TrustArguments, sources: TrustSources, io: CommandOutput): Promise<number> {
  const { operands, all, yes, json } = args;
  const { definitions, problems } = await sources.load();
  for (const problem of problems) io.stderr(`larik trust: warning: ${problem}\n`);
  const names = definitions.map(({ name }) => name);
  const missing = operands.find((name) => !names.includes(name));
  if (missing !== undefined) return unknown('approve', missing, names, io);
  const named = definitions.filter(({ name }) => operands.includes(name));
  for (const one of named) {
    if (
      one.state !== 'unusable' ||
      named.some((other) => other.name === one.name && other.state !== 'unusable')
    ) {
      continue;
    }
    io.stderr(`larik trust approve: ${definitionText(one)} cannot be approved: ${one.why}\n`);
    return 2;
  }
  if (yes && !all && operands.length === 0) {
    io.stderr('larik trust approve: --yes approves what is named; name it, or write --all\n');
    return 2;
  }
  const pending = (operands.length > 0 ? named : definitions).filter(isPending);
  if (pending.length > 0 && !yes && sources.confirm === null) {
    io.stderr(
      'larik trust approve: nobody is at a terminal to be asked; read what larik trust list shows, then name it with --yes\n',
    );
    return 2;
  }
  const approved: JudgedDefinition[] = [];
  for (const one of pending) {
    io.stderr(`${definitionLines(one).join('\n')}\n`);
    const isWanted = yes || (await sources.confirm?.(`Approve ${definitionText(one)}? [y/N] `)) === true;
    if (isWanted) approved.push(one);
  }
  await record(approved, sources);
  if (json) io.stdout(`${JSON.stringify(approved.map(({ kind, name, hash }) => ({ kind, name, hash })))}\n`);
  else for (const one of approved) io.stdout(`approved ${definitionText(one)}\n`);
  if (pending.length === 0) io.stderr('Nothing of it waits for approval.\n');
  if (approved.length > 0) {
    io.stderr(
      'This version of larik runs none of these yet; an approval holds until the definition changes.\n',
    );
  }
  return approved.length === pending.length ? 0 : 1;
}

/** Adds approvals, in place of those for the same names. */
async function record(definitions: readonly JudgedDefinition[], sources: TrustSources): Promise<void> {
  if (definitions.length === 0) return;
  const approved = sources.now().toISOString();
  const added = definitions.flatMap(({ folder, kind, name, hash }): Approval[] =>
    hash === null ? [] : [{ folder, kind, name, hash, approved }],
  );
  const isReplaced = (old: Approval): boolean =>
    added.some(({ folder, kind, name }) => old.folder === folder && old.kind === kind && old.name === name);
  await changeApprovals(sources.approvals, takeFileLock, (before) => [
    ...before.filter((old) => !isReplaced(old)),
    ...added,
  ]);
}

async function revoke(args: TrustArguments, sources: TrustSources, io: CommandOutput): Promise<number> {
  const { operands, all, json } = args;
  const { project } = sources;
  const isHere = ({ folder }: Approval): boolean => folder === project || folder === null;
  let removed: Approval[] = [];
  let names: string[] = [];
  await changeApprovals(sources.approvals, takeFileLock, (before) => {
    names = before.filter(isHere).map(({ name }) => name);
    const isComplete = operands.every((name) => names.includes(name));
    removed = isComplete ? before.filter((one) => isHere(one) && (all || operands.includes(one.name))) : [];
    return before.filter((one) => !removed.includes(one));
  });
  const missing = operands.find((name) => !names.includes(name));
  if (missing !== undefined) return unknown('revoke', missing, names, io);
  if (json) io.stdout(`${JSON.stringify(removed.map(({ kind, name, hash }) => ({ kind, name, hash })))}\n`);
  else for (const one of removed) io.stdout(`revoked ${oneLine(one.name)}\n`);
  if (removed.length === 0) io.stderr('Nothing is approved in this project.\n');
  return 0;
}
