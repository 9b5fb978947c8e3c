import type { CheckpointStore, FileSnapshot, SavedFile } from '../../ports/checkpoint.ts';
import { errorText, isPortError, PortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { UndoPlan, UndoStep } from '../../ports/frontend.ts';
import type { Place } from '../permissions/path-policy.ts';
import { planRedo, planUndo, type PlannedStep, type RestorePlan } from './undo-plan.ts';

/** How a file is now; null if it is not there. Throws `PortError<'file'>` if it is no plain file. */
async function snapshot(files: FileSystem, path: string): Promise<FileSnapshot | null> {
  try {
    const { bytes, hash, stat } = await files.read(path);
    if (hash === null) throw new PortError('file', 'io', `read without its hash: ${path}`, { path });
    return { bytes, hash, mode: stat.mode };
  } catch (error) {
    if (isPortError(error, 'file') && error.kind === 'not_found') return null;
    throw error;
  }
}

const withoutState = ({ path, action, conflict, note }: PlannedStep): UndoStep => ({
  path,
  action,
  conflict,
  note,
});

/**
 * The undo units of one session (spec: sessions, "Checkpoints"): saves each file before a turn first
 * writes to it, and takes whole turns back. `files` is the plain file system, not the guarded one.
 */
export class Checkpoints {
  private turn = 0;
  private captured = new Map<string, Promise<void>>();

  constructor(
    private readonly store: CheckpointStore,
    private readonly files: FileSystem,
    private readonly place: Place,
  ) {}

  /** Begins a new undo unit; nothing is saved until something is about to change. */
  begin(turn: number): void {
    this.turn = turn;
    this.captured = new Map();
  }

  /**
   * Saves how `path` is, unless this turn did so already. Throws `PortError<'checkpoint'>` if it
   * cannot: the write must then not happen.
   */
  capture(path: string): Promise<void> {
    const running = this.captured.get(path);
    if (running !== undefined) return running;
    const { turn, captured } = this;
    const capturing = this.save(turn, path);
    captured.set(path, capturing);
    // A failed capture is tried again before the next write.
    capturing.catch(() => captured.delete(path));
    return capturing;
  }

  private async save(turn: number, path: string): Promise<void> {
    let before: FileSnapshot | null;
    try {
      before = await snapshot(this.files, path);
    } catch (error) {
      throw new PortError(
        'checkpoint',
        'capture',
        `${path} could not be saved for undo: ${errorText(error)}`,
        {
          path,
        },
      );
    }
    await this.store.save(turn, path, before);
  }

  /** Notes what a write made of a captured file: its hash, or null when it was removed. */
  wrote(path: string, after: string | null): Promise<void> {
    return this.store.wrote(this.turn, path, after);
  }

  /** Notes that a command runs in this turn, since an undo does not cover what it changes. */
  ran(command: string): Promise<void> {
    return this.store.ran(this.turn, command);
  }

  /** What an undo would do. */
  async planUndo(): Promise<UndoPlan> {
    return toPlan(await this.undoable());
  }

  /** What a redo would do. */
  async planRedo(): Promise<UndoPlan> {
    return toPlan(await this.redoable());
  }

  /**
   * Takes back the latest turn that changed something. Files in conflict are left alone unless
   * `force`. Answers with what was done; `turn` is null if nothing was. Throws
   * `PortError<'checkpoint'>` if a file cannot be restored: the turn then stays in force with all
   * that was saved, and another undo goes on.
   */
  async undo(force: boolean): Promise<UndoPlan> {
    const plan = await this.undoable();
    const steps = await this.carryOut(plan, force, async (turn, file, now) => {
      await this.store.saveUndone(turn, file.path, now);
      return file.before === null ? null : this.store.load(turn, file.path, 'before');
    });
    const done = plan.turn !== null && (force || steps.some((step) => step.action !== 'skip'));
    if (!done || plan.turn === null) return { turn: null, steps, notes: plan.notes };
    const orders = (await this.store.turns()).map((one) => one.undone ?? 0);
    await this.store.setUndone(plan.turn, Math.max(0, ...orders) + 1);
    return { turn: plan.turn, steps, notes: plan.notes };
  }

  /** Takes the latest undo back, in the same way. */
  async redo(force: boolean): Promise<UndoPlan> {
    const plan = await this.redoable();
    const steps = await this.carryOut(plan, force, async (turn, file) =>
      file.undone ? this.store.load(turn, file.path, 'undone') : null,
    );
    const done = plan.turn !== null && (force || steps.some((step) => step.action !== 'skip'));
    if (!done || plan.turn === null) return { turn: null, steps, notes: plan.notes };
    await this.store.setUndone(plan.turn, null);
    return { turn: plan.turn, steps, notes: plan.notes };
  }

  private async undoable(): Promise<RestorePlan> {
    return planUndo(await this.store.turns(), this.files, this.place);
  }

  private async redoable(): Promise<RestorePlan> {
    return planRedo(await this.store.turns(), this.files, this.place);
  }

  /** Brings each file of the plan to the state that it names; `prepare` gives its bytes, null removes it. */
  private async carryOut(
    plan: RestorePlan,
    force: boolean,
    prepare: (turn: number, file: SavedFile, now: FileSnapshot | null) => Promise<Uint8Array | null>,
  ): Promise<UndoStep[]> {
    const steps: UndoStep[] = [];
    for (const step of plan.steps) {
      const skip = step.action === 'skip' || plan.turn === null || (step.conflict && !force);
      steps.push({ ...withoutState(step), ...(skip ? { action: 'skip' as const } : {}) });
      if (skip || plan.turn === null) continue;
      try {
        const now = await snapshot(this.files, step.path);
        if ((now?.hash ?? null) !== step.nowHash) {
          throw new PortError('file', 'changed', 'it changed in this moment', { path: step.path });
        }
        const bytes = await prepare(plan.turn, step.file, now);
        await this.bring(step, bytes);
      } catch (error) {
        const text = `${step.path} could not be restored: ${errorText(error)}; what was saved is kept, and undo or redo can be tried again`;
        throw new PortError('checkpoint', 'restore', text, { path: step.path });
      }
    }
    return steps;
  }

  private async bring(step: PlannedStep, bytes: Uint8Array | null): Promise<void> {
    if (bytes === null || step.to === null) return this.files.remove(step.path);
    await this.files.write(step.path, bytes, { mode: step.to.mode, expect: step.nowHash });
  }
}

function toPlan({ turn, steps, notes }: RestorePlan): UndoPlan {
  return { turn, steps: steps.map(withoutState), notes };
}
