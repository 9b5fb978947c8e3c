import type { CheckpointStore, CheckpointTurn, TurnTree } from '../../ports/checkpoint.ts';
import { errorText, isPortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { WorkTrees } from '../../ports/work-trees.ts';
import { comparedFiles } from './tree-comparison.ts';

/** What stands in the way of keeping a tree, or null. */
type Obstacle = string | null;

/**
 * What the commands of a turn change (spec: sessions, "Checkpoints"): the work tree is kept once, before
 * the first of them, and compared when the turn ends, or later if it was cut off. What was found becomes
 * part of the turn's saved files. Where that cannot be done, commands run all the same, and the turn
 * says so.
 */
export class CommandTrees {
  /** The turn that is on its way. */
  private open: number | null = null;
  private kept: Promise<Obstacle> | undefined;
  /** A turn may be there whose tree was not compared. */
  private unsettled = true;
  /** Commands that run on by themselves, by their id. */
  private readonly running = new Map<string, string>();

  constructor(
    private readonly store: CheckpointStore,
    private readonly files: FileSystem,
    private readonly trees: WorkTrees | undefined,
  ) {}

  /** A new turn begins. */
  begin(turn: number): void {
    this.open = turn;
    this.kept = undefined;
  }

  /**
   * To be awaited before a command that may change files. `older` counts the files that the turn has
   * saved by then. Answers with what the user should hear, which is so once in a turn at most.
   */
  async before(turn: number, command: string, older: () => Promise<number>): Promise<string | null> {
    const { trees } = this;
    const isFirst = this.kept === undefined;
    try {
      if (trees !== undefined) {
        this.kept ??= this.keep(trees, turn, older);
        const obstacle = await this.kept;
        if (obstacle === null) return null;
      }
      await this.store.ran(turn, command);
      return isFirst && this.kept !== undefined ? await this.kept : null;
    } catch (error) {
      // Such as a full disk: the command may be what makes room.
      if (!isPortError(error, 'checkpoint')) throw error;
      return isFirst ? notKept(errorText(error)) : null;
    }
  }

  private async keep(trees: WorkTrees, turn: number, older: () => Promise<number>): Promise<Obstacle> {
    const name = `turn-${turn}`;
    const count = await older();
    try {
      await trees.keep(name);
      await this.store.setTree(turn, { name, older: count, compared: null });
      return null;
    } catch (error) {
      if (!isPortError(error, 'checkpoint')) throw error;
      const text = notKept(errorText(error));
      await this.store.note(turn, text);
      return text;
    }
  }

  started(id: string, command: string): void {
    this.running.set(id, command);
  }

  ended(id: string): void {
    this.running.delete(id);
  }

  /** The turn ends: compares. Answers with what the user should hear. */
  async end(turn: number): Promise<string | null> {
    this.open = null;
    if (this.kept === undefined) return null;
    const hasTree = (await this.kept) === null;
    this.kept = undefined;
    for (const command of this.running.values()) {
      await this.store.note(
        turn,
        `ran on after the turn, and what it changed then is not covered: ${command}`,
      );
    }
    if (!hasTree) return null;
    const one = (await this.store.turns()).find((known) => known.turn === turn);
    if (one?.tree === undefined) return null;
    try {
      await this.compare(one, one.tree, false);
      return null;
    } catch (error) {
      if (!isPortError(error, 'checkpoint')) throw error;
      this.unsettled = true;
      return `What commands changed in this turn could not be noted for undo yet: ${errorText(error)}. An undo tries again.`;
    }
  }

  /**
   * Makes good what a turn that was cut off left open; where that fails, it is given up, and the turn
   * says so. To be awaited before anything new is changed.
   */
  async settle(): Promise<void> {
    await this.settleBy(async (turn, tree, reason) => {
      await this.store.note(turn, `what its commands changed is not covered: ${reason}`);
      await this.store.setTree(turn, { ...tree, compared: 'late' });
    });
  }

  /** The same, but what fails stays open for another try. Answers with why it failed. */
  async trySettling(): Promise<Obstacle> {
    let obstacle: Obstacle = null;
    await this.settleBy(async (_turn, _tree, reason) => {
      this.unsettled = true;
      obstacle = reason;
    });
    return obstacle;
  }

  private async settleBy(onFailure: (turn: number, tree: TurnTree, reason: string) => Promise<void>) {
    if (!this.unsettled || this.trees === undefined) return;
    this.unsettled = false;
    for (const turn of await this.store.turns()) {
      const { tree } = turn;
      if (tree === undefined || tree.compared !== null || turn.turn === this.open) continue;
      try {
        await this.compare(turn, tree, true);
      } catch (error) {
        if (!isPortError(error, 'checkpoint')) throw error;
        await onFailure(turn.turn, tree, errorText(error));
      }
    }
  }

  private async compare(turn: CheckpointTurn, tree: TurnTree, late: boolean): Promise<void> {
    if (this.trees === undefined) return;
    const { changes, notes } = await this.trees.compare(tree.name);
    const told = [...notes];
    const tell = (note: string): void => void told.push(note);
    const files = comparedFiles(changes, { turn, tree }, late, this.files, tell);
    await this.store.compared(turn.turn, { ...tree, compared: late ? 'late' : 'in_time' }, files);
    for (const note of told) await this.store.note(turn.turn, note);
  }
}

function notKept(reason: string): string {
  return (
    `Undo does not cover what commands change in this turn: how the files were could not be kept (${reason}). ` +
    '`checkpoint_paths` in a call covers single files; generated files named in .gitignore make it quicker, ' +
    'and what was read is remembered, so later turns of the session may be covered.'
  );
}
