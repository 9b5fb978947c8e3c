import { jsonText } from '../../domain/text/json-text.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { Checkpoints, type Direction } from '../../domain/files/checkpoints.ts';
import { broughtBack } from '../../domain/files/undo-plan.ts';
import type { CheckpointStore } from '../../ports/checkpoint.ts';
import { isPortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { UndoPlan, UndoStep } from '../../ports/frontend.ts';
import type { SessionLog, SessionStore } from '../../ports/session.ts';
import type { WorkTrees } from '../../ports/work-trees.ts';
import { sessionErrorText } from '../session-errors.ts';
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
  treesOf(session: string): WorkTrees | undefined;
  /** Puts a question to whoever sits at the terminal; null: nobody does. */
  confirm: ((question: string) => Promise<boolean>) | null;
  files: FileSystem;
  place: { cwd: string; project: string; home: string };
}

/**
 * `larik undo` and `larik redo` (spec: sessions, "Checkpoints"): shows the plan, then carries it out,
 * holding the session so that no other process writes meanwhile. Files that were changed since are
 * asked about. Returns the exit code: 0, or 1 when the answer is no, or there is nobody to ask and
 * `force` is not given (nothing is done then), or something failed.
 */
export async function undoCommand(args: UndoArguments, ports: UndoPorts, io: CommandOutput): Promise<number> {
  const name = args.redo ? 'redo' : 'undo';
  try {
    const found = await latestChange(args, ports);
    if (found === null) {
      io.stderr(`larik ${name}: there is no session in this project; --cwd names another folder\n`);
      return 1;
    }
    const { id, plan, skipped } = found;
    if (skipped && plan.turn !== null)
      io.stderr(`larik ${name}: in session ${id}, the latest that has one\n`);
    if (args.dryRun || plan.turn === null) {
      print(plan, name, args.json, io);
      return 0;
    }
    const isAsked = !args.force && plan.steps.some((step) => step.conflict);
    if (isAsked && !(await mayForce(plan, name, args, ports, io))) return 1;
    return await carryOut(id, { ...args, force: args.force || isAsked }, ports, io);
  } catch (error) {
    const known =
      isPortError(error, 'session') || isPortError(error, 'checkpoint') || isPortError(error, 'file');
    if (!known) throw error;
    const text = isPortError(error, 'session') ? sessionErrorText(error, 'command') : error.message;
    io.stderr(`larik ${name}: ${oneLine(text)}\n`);
    return 1;
  }
}

/** Whether files that were changed since are to be restored as well. */
async function mayForce(
  plan: UndoPlan,
  name: string,
  { json }: UndoArguments,
  { confirm }: UndoPorts,
  io: CommandOutput,
): Promise<boolean> {
  print(plan, name, json, io);
  if (confirm === null || json) {
    io.stderr(
      `larik ${name}: nothing was done, since files were changed after that turn; --force restores them as well\n`,
    );
    return false;
  }
  if (await confirm('Restore the files that were changed since as well? [y/N] ')) return true;
  io.stderr(`larik ${name}: nothing was done\n`);
  return false;
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
async function latestChange({ id, redo, force }: UndoArguments, ports: UndoPorts): Promise<Found | null> {
  const { sessions } = ports;
  const named = id === undefined ? await sessions.list() : [await sessions.find(id)];
  let newest: Found | null = null;
  for (const session of named.slice(0, lookedAt)) {
    const plan = await planOf(session.id, redo ? 'redo' : 'undo', ports);
    const found: Found = { id: session.id, plan, skipped: newest !== null };
    // While it is open what the newest changed, an older session's turn is not the latest.
    if (plan.turn !== null || (!force && (await isOpen(session.id, ports)))) return found;
    newest ??= found;
  }
  return newest;
}

/**
 * What an undo would do. If the session's last turn was cut off, what its commands changed is found out
 * first, for which the session is held; while another process holds it, that stays open.
 */
async function planOf(id: string, direction: Direction, ports: UndoPorts): Promise<UndoPlan> {
  if (await isOpen(id, ports)) {
    try {
      return await holding(id, ports, (checkpoints) => checkpoints.plan(direction));
    } catch (error) {
      if (!isPortError(error, 'session') || error.kind !== 'held') throw error;
    }
  }
  return new Checkpoints(ports.checkpointsOf(id), ports.files, ports.place).plan(direction);
}

/** Whether there is a turn of which it is not known yet what its commands changed. */
async function isOpen(id: string, ports: UndoPorts): Promise<boolean> {
  return (await ports.checkpointsOf(id).turns()).some(({ tree }) => tree?.compared === null);
}

/** Does something while no other process can write to the session. */
async function holding<T>(
  id: string,
  ports: UndoPorts,
  work: (checkpoints: Checkpoints, log: SessionLog) => Promise<T>,
): Promise<T> {
  const { log } = await ports.sessions.open(id);
  const trees = ports.treesOf(id);
  try {
    // Read anew: until now, another process may have been at work in the session.
    return await work(new Checkpoints(ports.checkpointsOf(id), ports.files, ports.place, trees), log);
  } finally {
    await trees?.dispose();
    await log.close();
  }
}

function carryOut(
  id: string,
  { redo, force, json }: UndoArguments,
  ports: UndoPorts,
  io: CommandOutput,
): Promise<number> {
  return holding(id, ports, async (checkpoints, log) => {
    const done = await checkpoints.carryOut(redo ? 'redo' : 'undo', force);
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
  });
}

const words: Record<UndoStep['action'], string> = { restore: 'restore', remove: 'remove', skip: 'leave' };

function print(plan: UndoPlan, name: string, json: boolean, io: CommandOutput): void {
  if (json) {
    io.stdout(`${jsonText(plan)}\n`);
    return;
  }
  if (plan.turn === null) io.stdout(plan.steps.length === 0 ? `nothing to ${name}\n` : 'nothing was done\n');
  else io.stdout(`${name} turn ${plan.turn}:\n`);
  for (const step of plan.steps) {
    io.stdout(`  ${words[step.action].padEnd(7)}  ${oneLine(step.path)}: ${oneLine(step.note)}\n`);
  }
  for (const note of plan.notes) io.stdout(`  ${oneLine(note)}\n`);
}
