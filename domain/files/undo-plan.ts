import type { CheckpointTurn, FileState } from '../../ports/checkpoint.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { UndoPlan, UndoStep } from '../../ports/frontend.ts';
import { writeRefusal, type Place } from '../permissions/path-policy.ts';

/** A step with what carrying it out needs. */
export interface PlannedStep {
  step: UndoStep;
  /** The state that the file is brought to; null: it is removed. */
  to: FileState | null;
  /** The file's hash while the plan was made; null: not there. */
  nowHash: string | null;
  /** How many of the folders above it go with it, if they are empty then. */
  folders: number;
  /** The file is already as the step would make it. */
  already: boolean;
}

export interface RestorePlan {
  turn: number | null;
  steps: PlannedStep[];
  notes: string[];
}

/** Where a file goes, and what larik knows it to be now. `known` undefined: larik cannot tell. */
interface Way {
  to: FileState | null;
  known: string | null | undefined;
  folders?: number;
}

const inForce = (turn: CheckpointTurn): boolean => turn.undone === null;

/** Plans to take back the latest turn in force that left anything different from how it was before. */
export async function planUndo(
  turns: readonly CheckpointTurn[],
  files: FileSystem,
  place: Place,
): Promise<RestorePlan> {
  const notes: string[] = [];
  for (const turn of turns.toReversed().filter(inForce)) {
    notes.push(...turn.commands.map(notCovered), ...turn.notes);
    const steps: PlannedStep[] = [];
    // Reversed, so that a file that was saved under two names ends as it began.
    for (const file of turn.files.toReversed()) {
      steps.push(
        await planStep(
          file.path,
          { to: file.before, known: file.after, folders: file.made ?? 0 },
          files,
          place,
        ),
      );
    }
    const beside = besideTree(turn);
    if (steps.some((step) => !step.already)) return { turn: turn.turn, steps, notes: [...notes, ...beside] };
    if (turn.tree?.compared === null) notes.push(...beside);
  }
  return { turn: null, steps: [], notes };
}

/** Plans to take the latest undo back, unless a later turn has changed files since. */
export async function planRedo(
  turns: readonly CheckpointTurn[],
  files: FileSystem,
  place: Place,
): Promise<RestorePlan> {
  const none = { turn: null, steps: [], notes: [] };
  const last = turns.filter((turn) => !inForce(turn)).sort((a, b) => (b.undone ?? 0) - (a.undone ?? 0))[0];
  if (last === undefined) return none;
  const later = turns.filter(inForce).filter((turn) => turn.turn > last.turn && turn.files.length > 0);
  if (later.length > 0) return none;
  const steps: PlannedStep[] = [];
  for (const file of last.files) {
    if (file.undone === undefined) continue;
    const way = { to: file.undone, known: file.before?.hash ?? null };
    steps.push(await planStep(file.path, way, files, place));
  }
  return {
    turn: last.turn,
    steps,
    notes: [...last.commands.map(notCovered), ...last.notes, ...besideTree(last)],
  };
}

function notCovered(command: string): string {
  return `what this command changed is not covered: ${command}`;
}

/** What no tree covers. */
function besideTree({ tree }: CheckpointTurn): string[] {
  if (tree === undefined) return [];
  if (tree.compared === null)
    return ['what its commands changed is not known yet: the undo itself finds out'];
  return ['what commands changed outside the project, and in files that git ignores, is not covered'];
}

async function planStep(path: string, way: Way, files: FileSystem, place: Place): Promise<PlannedStep> {
  const leave = (note: string): PlannedStep => ({
    step: { path, action: 'skip', conflict: false, note },
    to: way.to,
    nowHash: null,
    folders: 0,
    already: false,
  });
  const resolved = await files.resolve(path, place.project);
  const refusal = writeRefusal(resolved, place);
  if (refusal !== null) return leave(`left alone: ${refusal}`);
  const { stat } = resolved;
  if (stat !== null && stat.kind !== 'file') return leave(`left alone: it is now a ${stat.kind}`);
  const nowHash = stat === null ? null : (await files.read(path)).hash;
  if (nowHash === (way.to?.hash ?? null) && (stat?.mode ?? null) === (way.to?.mode ?? null)) {
    return { ...leave('already so'), nowHash, already: true };
  }
  const action = way.to === null ? 'remove' : 'restore';
  const what = way.to === null ? 'removed: it did not exist' : restored(way.to, nowHash);
  // Only the mode differs: nobody's content is lost.
  const conflict = nowHash !== way.known && nowHash !== (way.to?.hash ?? null);
  const since = way.known === undefined ? unknownSince : 'but it was changed since';
  const note = conflict ? `${what}; ${since}` : what;
  return {
    step: { path, action, conflict, note },
    to: way.to,
    nowHash,
    folders: way.folders ?? 0,
    already: false,
  };
}

/** After a kill, for instance. */
const unknownSince = 'but the turn was cut off, so changes of yours since then cannot be told from its own';

function restored(to: FileState, nowHash: string | null): string {
  if (nowHash === to.hash) return `gets its mode ${to.mode.toString(8)} back`;
  return nowHash === null
    ? `comes back (${to.size} bytes)`
    : `goes back to its earlier content (${to.size} bytes)`;
}

/** The files that a plan changed, once it is carried out. */
export function broughtBack(plan: UndoPlan): string[] {
  return plan.steps.filter((step) => step.action !== 'skip').map((step) => step.path);
}
