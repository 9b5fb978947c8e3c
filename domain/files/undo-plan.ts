import type { CheckpointTurn, FileState } from '../../ports/checkpoint.ts';
import { errorText, isPortError } from '../../ports/errors.ts';
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
  /** A folder stands in the file's place: it goes if it is empty by then, else the step is left out. */
  inFolder: boolean;
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
    if (steps.some((step) => !step.already)) {
      return { turn: turn.turn, steps: withoutLosses(steps), notes: [...notes, ...beside] };
    }
    if (turn.tree?.compared === null) notes.push(...beside);
  }
  return { turn: null, steps: [], notes };
}

/** Leaves files where a command moved them, if they cannot come back to where they were. */
function withoutLosses(steps: readonly PlannedStep[]): PlannedStep[] {
  const left = steps.filter(({ step, already }) => step.action === 'skip' && !already);
  const lost = new Set(left.flatMap(({ to }) => to?.hash ?? []));
  return steps.map((one) => {
    if (one.step.action !== 'remove' || one.nowHash === null || !lost.has(one.nowHash)) return one;
    const note = 'left alone: its content cannot come back where it was';
    return { ...one, step: { ...one.step, action: 'skip', conflict: false, note } };
  });
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
  try {
    return await stepOf(path, way, files, place);
  } catch (error) {
    // One that cannot be read must not keep the others from coming back.
    if (!isPortError(error, 'file')) throw error;
    return left(path, way.to, `left alone: ${errorText(error)}`);
  }
}

function left(path: string, to: FileState | null, note: string): PlannedStep {
  return {
    step: { path, action: 'skip', conflict: false, note },
    to,
    nowHash: null,
    folders: 0,
    inFolder: false,
    already: false,
  };
}

async function stepOf(path: string, way: Way, files: FileSystem, place: Place): Promise<PlannedStep> {
  const { to, known, folders = 0 } = way;
  const resolved = await files.resolve(path, place.project);
  const refusal = writeRefusal(resolved, place);
  if (refusal !== null) return left(path, to, `left alone: ${refusal}`);
  const { stat } = resolved;
  const inFolder = stat?.kind === 'folder' && to !== null;
  if (stat !== null && stat.kind !== 'file' && !inFolder) {
    return left(
      path,
      to,
      `left alone: it is now a ${stat.kind === 'folder' ? 'folder' : 'device, pipe or socket'}`,
    );
  }
  const nowHash = stat === null || inFolder ? null : (await files.read(path)).hash;
  if (!inFolder && nowHash === (to?.hash ?? null) && (stat?.mode ?? null) === (to?.mode ?? null)) {
    return { ...left(path, to, 'already so'), nowHash, already: true };
  }
  const action = to === null ? 'remove' : 'restore';
  const what = to === null ? 'removed: it did not exist' : restored(to, nowHash, inFolder);
  // Only the mode differs: nobody's content is lost.
  const conflict = nowHash !== known && nowHash !== (to?.hash ?? null);
  const since = known === undefined ? unknownSince : 'but it was changed since';
  const note = conflict ? `${what}; ${since}` : what;
  return { step: { path, action, conflict, note }, to, nowHash, folders, inFolder, already: false };
}

/** After a kill, for instance. */
const unknownSince = 'but the turn was cut off, so changes of yours since then cannot be told from its own';

function restored(to: FileState, nowHash: string | null, inFolder: boolean): string {
  if (inFolder) return `comes back (${to.size} bytes), if the folder in its place is empty by then`;
  if (nowHash === to.hash) return `gets its mode ${to.mode.toString(8)} back`;
  return nowHash === null
    ? `comes back (${to.size} bytes)`
    : `goes back to its earlier content (${to.size} bytes)`;
}

/** The files that a plan changed, once it is carried out. */
export function broughtBack(plan: UndoPlan): string[] {
  return plan.steps.filter((step) => step.action !== 'skip').map((step) => step.path);
}
