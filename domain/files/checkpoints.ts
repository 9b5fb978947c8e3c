import type { CheckpointStore, FileSnapshot } from '../../ports/checkpoint.ts';
import { errorText, PortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { UndoPlan, UndoStep } from '../../ports/frontend.ts';
import type { WorkTrees } from '../../ports/work-trees.ts';
import { writeRefusal, type Place } from '../permissions/path-policy.ts';
import { slashed } from '../text/path-text.ts';
import { CommandTrees } from './command-trees.ts';
import { hashNow, snapshot } from './tree-comparison.ts';
import { planRedo, planUndo, type PlannedStep, type RestorePlan } from './undo-plan.ts';

/** The lowest folders above a path, the lowest first. */
function foldersAbove(path: string, count: number): string[] {
  const folders: string[] = [];
  const separator = slashed(path) === path ? '/' : '\\';
  const parentOf = (one: string): string => one.slice(0, one.lastIndexOf(separator));
  for (let at = path; folders.length < count; folders.push(at)) at = parentOf(at);
  return folders;
}

export type Direction = 'undo' | 'redo';

/**
 * The undo units of one session (spec: sessions, "Checkpoints"): saves each file before a turn first
 * writes to it, and takes whole turns back. `files` is the plain file system, not the guarded one.
 */
export class Checkpoints {
  private turn = 0;
  private captured = new Map<string, Promise<void>>();
  private readonly commands: CommandTrees;

  /** `trees` is left out where there is no git repository, and where the session is not held. */
  constructor(
    private readonly store: CheckpointStore,
    private readonly files: FileSystem,
    private readonly place: Place,
    private readonly trees?: WorkTrees,
  ) {
    this.commands = new CommandTrees(store, files, trees);
  }

  /** Begins a new undo unit; nothing is saved until something is about to change. */
  begin(turn: number): void {
    this.turn = turn;
    this.captured = new Map();
    this.commands.begin(turn);
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
    await this.commands.settle();
    let before: FileSnapshot | null;
    try {
      before = await snapshot(this.files, path);
    } catch (error) {
      const text = `${path} could not be saved for undo: ${errorText(error)}`;
      throw new PortError('checkpoint', 'capture', text, { path });
    }
    await this.store.save(turn, path, before);
  }

  /** Notes what a write made of a captured file: its hash, or null when it was removed. */
  wrote(path: string, after: string | null): Promise<void> {
    return this.store.wrote(this.turn, path, after);
  }

  /**
   * To be awaited before a command that may change files. `paths` are files that it may change beside
   * what the trees cover: each is saved first. Answers with what the user should hear, and throws
   * `PortError<'checkpoint'>` if a path cannot be saved.
   */
  async beforeCommand(command: string, paths: readonly string[]): Promise<string | null> {
    await this.commands.settle();
    for (const path of paths) await this.captureNamed(path);
    const { turn, captured } = this;
    return this.commands.before(turn, command, async () => {
      await Promise.allSettled(captured.values());
      return captured.size;
    });
  }

  private async captureNamed(path: string): Promise<void> {
    const refusal = writeRefusal(await this.files.resolve(path, this.place.project), this.place);
    if (refusal === null) return this.capture(path);
    await this.store.note(this.turn, `not covered: ${refusal}`);
  }

  /** Notes what a command made of the files that it was said to change. */
  async afterCommand(paths: readonly string[]): Promise<void> {
    for (const path of paths.filter((one) => this.captured.has(one))) {
      await this.wrote(path, await hashNow(this.files, path));
    }
  }

  /** A command goes on by itself, or has ended. */
  started(id: string, command: string): void {
    this.commands.started(id, command);
  }

  ended(id: string): void {
    this.commands.ended(id);
  }

  /** The turn ends. Answers with what the user should hear. */
  end(): Promise<string | null> {
    return this.commands.end(this.turn);
  }

  /** What an undo or redo would do. */
  async plan(direction: Direction): Promise<UndoPlan> {
    const obstacle = await this.commands.trySettling();
    const { turn, steps, notes } = await this.planned(direction);
    const open = obstacle === null ? [] : [`it could not be found out what commands changed: ${obstacle}`];
    return { turn, steps: steps.map(({ step }) => step), notes: [...notes, ...open] };
  }

  /**
   * Takes back the latest turn that changed something, or the latest undo. Unless `force`, files in
   * conflict are left alone, and nothing is done while it is open what commands changed. Answers with
   * what was done; `turn` is null if nothing was. Throws `PortError<'checkpoint'>` if a file cannot be
   * restored: the others are, what was saved stays, and another undo or redo goes on.
   */
  async carryOut(direction: Direction, force: boolean): Promise<UndoPlan> {
    await this.settled(force);
    const { turn, steps: planned, notes } = await this.planned(direction);
    if (turn === null) return { turn, steps: [], notes };
    const steps: UndoStep[] = [];
    const errors: unknown[] = [];
    for (const one of planned) {
      const skip = one.step.action === 'skip' || (one.step.conflict && !force);
      const isBlocked = !skip && one.inFolder && !(await this.makesWay(one.step.path));
      const note = isBlocked ? 'left alone: the folder in its place is not empty' : one.step.note;
      steps.push(skip || isBlocked ? { ...one.step, action: 'skip', note } : one.step);
      if (skip || isBlocked) continue;
      // One that cannot be restored, such as in a read-only folder, keeps no other from it.
      await this.restore(turn, one, direction).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
    if (!force && steps.every((step) => step.action === 'skip')) return { turn: null, steps, notes };
    const orders = (await this.store.turns()).map((one) => one.undone ?? 0);
    await this.store.setUndone(turn, direction === 'redo' ? null : Math.max(0, ...orders) + 1);
    return { turn, steps, notes };
  }

  private async settled(force: boolean): Promise<void> {
    if (force) return this.commands.settle();
    const obstacle = await this.commands.trySettling();
    if (obstacle === null) return;
    const text = `nothing was done, since it could not be found out what commands changed: ${obstacle}. Try again, or take back only what is known with --force`;
    throw new PortError('checkpoint', 'restore', text, { path: this.place.project });
  }

  private async planned(direction: Direction): Promise<RestorePlan> {
    return (direction === 'undo' ? planUndo : planRedo)(await this.store.turns(), this.files, this.place);
  }

  /** Whether the folder in a file's place is gone, since it was empty. */
  private async makesWay(path: string): Promise<boolean> {
    await this.trees?.removeEmpty([path]);
    return (await this.files.resolve(path, path)).stat === null;
  }

  /** Brings a file to the state that the step names. */
  private async restore(turn: number, planned: PlannedStep, direction: Direction): Promise<void> {
    const { to, nowHash } = planned;
    const { path } = planned.step;
    try {
      const now = await snapshot(this.files, path);
      if ((now?.hash ?? null) !== nowHash) {
        throw new PortError('file', 'changed', 'it changed in this moment', { path });
      }
      if (direction === 'undo') await this.store.saveUndone(turn, path, now);
      if (to === null) {
        await this.files.remove(path);
        return await this.trees?.removeEmpty(foldersAbove(path, planned.folders));
      }
      const bytes = await this.store.load(turn, path, direction === 'undo' ? 'before' : 'undone');
      await this.files.write(path, bytes, { mode: to.mode, expect: nowHash });
    } catch (error) {
      const text = `${path} could not be restored: ${errorText(error)}; what was saved is kept, and undo or redo can be tried again`;
      throw new PortError('checkpoint', 'restore', text, { path });
    }
  }
}
