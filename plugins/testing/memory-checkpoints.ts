import type {
  CheckpointStore,
  CheckpointTurn,
  ComparedFile,
  FileSnapshot,
  FileState,
  SavedFile,
  TurnTree,
} from '../../ports/checkpoint.ts';
import { PortError } from '../../ports/errors.ts';

function stateOf(snapshot: FileSnapshot | null): FileState | null {
  return snapshot && { hash: snapshot.hash, mode: snapshot.mode, size: snapshot.bytes.length };
}

/** Checkpoints in memory. Paths in `failing` cannot be captured. */
export class MemoryCheckpoints implements CheckpointStore {
  /** Every call that changed something, in order: `save 1 /p/a`. */
  readonly calls: string[] = [];
  readonly failing = new Set<string>();
  readonly #turns = new Map<number, CheckpointTurn>();
  readonly #bytes = new Map<string, Uint8Array>();

  async save(turn: number, path: string, before: FileSnapshot | null): Promise<void> {
    if (this.failing.has(path)) throw new PortError('checkpoint', 'capture', `no room for ${path}`, { path });
    const one = this.#turn(turn);
    if (one.files.some((file) => file.path === path)) return;
    this.calls.push(`save ${turn} ${path}`);
    if (before !== null) this.#bytes.set(`${turn} before ${path}`, before.bytes.slice());
    one.files.push({ path, before: stateOf(before) });
  }

  async wrote(turn: number, path: string, after: string | null): Promise<void> {
    this.#file(turn, path).after = after;
    this.calls.push(`wrote ${turn} ${path}`);
  }

  async ran(turn: number, command: string): Promise<void> {
    const { commands } = this.#turn(turn);
    if (!commands.includes(command)) commands.push(command);
  }

  async note(turn: number, text: string): Promise<void> {
    const { notes } = this.#turn(turn);
    if (!notes.includes(text)) notes.push(text);
  }

  async setTree(turn: number, tree: TurnTree): Promise<void> {
    this.#turn(turn).tree = tree;
  }

  async compared(turn: number, tree: TurnTree, files: AsyncIterable<ComparedFile>): Promise<void> {
    const one = this.#turn(turn);
    for await (const { path, before, after, made } of files) {
      let file = one.files.find((known) => known.path === path);
      if (file === undefined) one.files.push((file = { path, before: null }));
      if (made > 0) file.made = made;
      if (before !== undefined) file.before = stateOf(before);
      if (before) this.#bytes.set(`${turn} before ${path}`, before.bytes.slice());
      if (after === undefined) delete file.after;
      else file.after = after;
    }
    one.tree = tree;
  }

  async turns(): Promise<CheckpointTurn[]> {
    return structuredClone([...this.#turns.values()].sort((a, b) => a.turn - b.turn));
  }

  async load(turn: number, path: string, which: 'before' | 'undone'): Promise<Uint8Array> {
    const bytes = this.#bytes.get(`${turn} ${which} ${path}`);
    if (!bytes)
      throw new PortError('checkpoint', 'restore', `${path} is not saved in turn ${turn}`, { path });
    return bytes.slice();
  }

  async saveUndone(turn: number, path: string, state: FileSnapshot | null): Promise<void> {
    if (state !== null) this.#bytes.set(`${turn} undone ${path}`, state.bytes.slice());
    this.#file(turn, path).undone = stateOf(state);
  }

  async setUndone(turn: number, order: number | null): Promise<void> {
    const one = this.#turn(turn);
    one.undone = order;
    if (order === null) for (const file of one.files) delete file.undone;
  }

  #turn(turn: number): CheckpointTurn {
    const one = this.#turns.get(turn) ?? { turn, files: [], commands: [], notes: [], undone: null };
    this.#turns.set(turn, one);
    return one;
  }

  #file(turn: number, path: string): SavedFile {
    const file = this.#turn(turn).files.find((one) => one.path === path);
    if (!file) throw new PortError('checkpoint', 'capture', `${path} is not saved in turn ${turn}`, { path });
    return file;
  }
}

/** Checkpoints in memory. */
export function memoryCheckpoints(): MemoryCheckpoints {
  return new MemoryCheckpoints();
}
