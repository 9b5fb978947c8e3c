import { oneLine } from '../../domain/text/one-line.ts';
import { Checkpoints } from '../../domain/files/checkpoints.ts';
import { broughtBack } from '../../domain/files/undo-plan.ts';
import type { CheckpointStore } from '../../ports/checkpoint.ts';
import { isPortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { UndoPlan, UndoStep } from '../../ports/frontend.ts';
import type { SessionStore } from '../../ports/session.ts';
import type { CommandOutput } from './command-output.ts';

export interface UndoArguments {
  /** The beginning of a session's id; without it the project's latest session. */
  id?: string;
  redo: boolean;
  dryRun: boolean;
  /** Also what was changed since. */
  force: boolean;
  json: boolean;
}

export interface UndoPorts {
  sessions: SessionStore;
  checkpointsOf(session: string): CheckpointStore;
  files: FileSystem;
  place: { cwd: string; project: string; home: string };
}

/**
 * `larik undo` and `larik redo` (spec: sessions, "Checkpoints"): shows the plan, then carries it out,
 * holding the session so that no other process writes meanwhile. Returns the exit code: 0, or 1 when
 * files were changed since and `force` is not given (nothing is done then), or something failed.
 */
export async function undoCommand(args: UndoArguments, ports: UndoPorts, io: CommandOutput): Promise<number> {
  const name = args.redo ? 'redo' : 'undo';
  try {
    const found = await latestChange(args, ports);
    if (found === null) {
      io.stderr(`larik ${name}: there is no session in this project\n`);
      return 1;
    }
    const { id, plan, skipped } = found;
    if (skipped && plan.turn !== null)
      io.stderr(`larik ${name}: in session ${id}, the latest that has one\n`);
    if (args.dryRun || plan.turn === null) {
      print(plan, name, args.json, io);
      return 0;
    }
    const conflicts = plan.steps.filter((step) => step.conflict);
    if (conflicts.length > 0 && !args.force) {
      print(plan, name, args.json, io);
      io.stderr(
        `larik ${name}: nothing was done, since files were changed after that turn; --force restores them as well\n`,
      );
      return 1;
    }
    return await carryOut(id, args, ports, io);
  } catch (error) {
    const known =
      isPortError(error, 'session') || isPortError(error, 'checkpoint') || isPortError(error, 'file');
    if (!known) throw error;
    io.stderr(`larik ${name}: ${oneLine(error.message)}\n`);
    return 1;
  }
}

/** Sessions that are looked through for one with something to undo. */
const lookedAt = 50;

interface Found {
  id: string;
  plan: UndoPlan;
  /** Newer sessions had nothing. */
  skipped: boolean;
}

/** The session that was named; else the newest in which there is something to undo, or just the newest. */
async function latestChange({ id, redo }: UndoArguments, ports: UndoPorts): Promise<Found | null> {
  const { sessions } = ports;
  const named = id === undefined ? await sessions.list() : [await sessions.find(id)];
  let newest: Found | null = null;
  for (const session of named.slice(0, lookedAt)) {
    const plan = await checkpointsOf(session.id, ports).plan(redo ? 'redo' : 'undo');
    const found: Found = { id: session.id, plan, skipped: newest !== null };
    if (plan.turn !== null) return found;
    newest ??= found;
  }
  return newest;
}

function checkpointsOf(id: string, ports: UndoPorts): Checkpoints {
  return new Checkpoints(ports.checkpointsOf(id), ports.files, ports.place);
}

async function carryOut(
  id: string,
  { redo, force, json }: UndoArguments,
  ports: UndoPorts,
  io: CommandOutput,
): Promise<number> {
  const { log } = await ports.sessions.open(id);
  try {
    // Read anew: until now, another process may have been at work in the session.
    const done = await checkpointsOf(id, ports).carryOut(redo ? 'redo' : 'undo', force);
    if (done.turn !== null) {
      await log.append({
        type: 'undo',
        turn: done.turn,
        ...(redo ? { redo: true } : {}),
        paths: broughtBack(done),
      });
      await log.sync();
    }
    print(done, redo ? 'redo' : 'undo', json, io);
    return 0;
  } finally {
    await log.close();
  }
}

const words: Record<UndoStep['action'], string> = { restore: 'restore', remove: 'remove', skip: 'leave' };

function print(plan: UndoPlan, name: string, json: boolean, io: CommandOutput): void {
  if (json) {
    io.stdout(`${JSON.stringify(plan)}\n`);
    return;
  }
  if (plan.turn === null) io.stdout(plan.steps.length === 0 ? `nothing to ${name}\n` : 'nothing was done\n');
  else io.stdout(`${name} turn ${plan.turn}:\n`);
  for (const step of plan.steps) {
    io.stdout(`  ${words[step.action].padEnd(7)}  ${oneLine(step.path)}: ${oneLine(step.note)}\n`);
  }
  for (const note of plan.notes) io.stdout(`  ${oneLine(note)}\n`);
}
