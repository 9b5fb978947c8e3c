import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  CheckpointStore,
  CheckpointTurn,
  ComparedFile,
  FileSnapshot,
  FileState,
  SavedFile,
  TurnTree,
} from '../../ports/checkpoint.ts';
import { errorText, isPortError, PortError, type ErrorKinds } from '../../ports/errors.ts';
import {
  formatManifest,
  parseManifest,
  withChange,
  withCommand,
  withFile,
  withNote,
  withUndone,
} from './manifest.ts';

const manifestName = 'manifest.json';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function fail(kind: ErrorKinds['checkpoint'], path: string, text: string): PortError<'checkpoint'> {
  return new PortError('checkpoint', kind, text, { path });
}

function stateOf(snapshot: FileSnapshot | null): FileState | null {
  return snapshot && { hash: snapshot.hash, mode: snapshot.mode, size: snapshot.bytes.length };
}

function savesAnything({ files, commands, notes, tree }: CheckpointTurn): boolean {
  return files.length + commands.length + notes.length > 0 || tree !== undefined;
}

/**
 * The checkpoints of one session in a folder: a folder for each turn, with a manifest and the bytes
 * of the n-th file in `<n>.before` and `<n>.undone` (spec: sessions, "Checkpoints"). The bytes are
 * there before the manifest names them, and a manifest is replaced as a whole, so that a kill at any
 * moment leaves a state that is true. Folders are 0700, files 0600.
 */
class FileCheckpointStore implements CheckpointStore {
  private readonly loaded = new Map<number, CheckpointTurn>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  save(turn: number, path: string, before: FileSnapshot | null): Promise<void> {
    return this.inOrder('capture', path, async () => {
      const known = await this.turn(turn);
      if (known.files.some((file) => file.path === path)) return;
      await this.keepBytes(turn, known.files.length, 'before', before);
      await this.replace(withFile(known, { path, before: stateOf(before) }));
    });
  }

  wrote(turn: number, path: string, after: string | null): Promise<void> {
    return this.inOrder('capture', path, async () => {
      const known = await this.turn(turn);
      this.indexOf(known, path, 'capture');
      await this.replace(withChange(known, path, { after }));
    });
  }

  ran(turn: number, command: string): Promise<void> {
    return this.inOrder('capture', this.folderOf(turn), async () => {
      const known = await this.turn(turn);
      const next = withCommand(known, command);
      if (next !== known) await this.replace(next);
    });
  }

  note(turn: number, text: string): Promise<void> {
    return this.inOrder('capture', this.folderOf(turn), async () => {
      const known = await this.turn(turn);
      const next = withNote(known, text);
      if (next !== known) await this.replace(next);
    });
  }

  setTree(turn: number, tree: TurnTree): Promise<void> {
    return this.inOrder('capture', this.folderOf(turn), async () =>
      this.replace({ ...(await this.turn(turn)), tree }),
    );
  }

  compared(turn: number, tree: TurnTree, compared: AsyncIterable<ComparedFile>): Promise<void> {
    return this.inOrder('capture', this.folderOf(turn), async () => {
      const known = await this.turn(turn);
      const files = new Map(known.files.map((file, index) => [file.path, { file, index }]));
      for await (const { path, before, after, made } of compared) {
        const { file, index } = files.get(path) ?? { file: { path, before: null }, index: files.size };
        // Until the manifest is replaced, a kill leaves the tree uncompared, and all is done again.
        if (before !== undefined) await this.keepBytes(turn, index, 'before', before);
        const next: SavedFile = { ...file, before: before === undefined ? file.before : stateOf(before) };
        if (made > 0) next.made = made;
        if (after === undefined) delete next.after;
        else next.after = after;
        files.set(path, { file: next, index });
      }
      await this.replace({ ...known, tree, files: [...files.values()].map(({ file }) => file) });
    });
  }

  turns(): Promise<CheckpointTurn[]> {
    return this.inOrder('restore', this.folder, async () => {
      const numbers = (await this.names()).filter((name) => /^\d{1,15}$/.test(name)).map(Number);
      const turns: CheckpointTurn[] = [];
      for (const number of numbers.sort((a, b) => a - b)) turns.push(await this.turn(number));
      return structuredClone(turns.filter(savesAnything));
    });
  }

  load(turn: number, path: string, which: 'before' | 'undone'): Promise<Uint8Array> {
    return this.inOrder('restore', path, async () => {
      const known = await this.turn(turn);
      const index = this.indexOf(known, path, 'restore');
      const size = known.files[index]?.[which]?.size;
      if (size === undefined) throw fail('restore', path, `turn ${turn} holds no such state of ${path}`);
      const bytes = await readFile(join(this.folderOf(turn), `${index}.${which}`));
      if (bytes.length !== size) throw fail('restore', path, `what turn ${turn} saved of ${path} is damaged`);
      return bytes;
    });
  }

  saveUndone(turn: number, path: string, state: FileSnapshot | null): Promise<void> {
    return this.inOrder('restore', path, async () => {
      const known = await this.turn(turn);
      await this.keepBytes(turn, this.indexOf(known, path, 'restore'), 'undone', state);
      await this.replace(withChange(known, path, { undone: stateOf(state) }));
    });
  }

  setUndone(turn: number, order: number | null): Promise<void> {
    return this.inOrder('restore', this.folderOf(turn), async () =>
      this.replace(withUndone(await this.turn(turn), order)),
    );
  }

  /** One thing at a time, since each change replaces the whole manifest; anything thrown is named. */
  private inOrder<T>(kind: ErrorKinds['checkpoint'], path: string, work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work).catch((error: unknown) => {
      if (isPortError(error, 'checkpoint')) throw error;
      throw fail(
        kind,
        path,
        `${kind === 'capture' ? 'cannot save' : 'cannot read or keep'} the checkpoint: ${errorText(error)}`,
      );
    });
    this.last = result.catch(() => undefined); // its caller hears of it
    return result;
  }

  private folderOf(turn: number): string {
    return join(this.folder, String(turn));
  }

  private async names(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  private async turn(turn: number): Promise<CheckpointTurn> {
    const known = this.loaded.get(turn) ?? (await this.readTurn(turn));
    this.loaded.set(turn, known);
    return known;
  }

  private async readTurn(turn: number): Promise<CheckpointTurn> {
    const path = join(this.folderOf(turn), manifestName);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return { turn, files: [], commands: [], notes: [], undone: null };
      throw error;
    }
    const manifest = parseManifest(text);
    if (manifest?.turn !== turn) throw fail('restore', path, `the checkpoint ${path} is damaged`);
    return manifest;
  }

  private async replace(turn: CheckpointTurn): Promise<void> {
    await this.put(turn.turn, manifestName, formatManifest(turn));
    this.loaded.set(turn.turn, turn);
  }

  private async keepBytes(
    turn: number,
    index: number,
    which: string,
    state: FileSnapshot | null,
  ): Promise<void> {
    if (state !== null) await this.put(turn, `${index}.${which}`, state.bytes);
  }

  /** Writes or replaces a file of the turn as a whole. */
  private async put(turn: number, name: string, content: string | Uint8Array): Promise<void> {
    const folder = this.folderOf(turn);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${name}.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
      await rename(temporary, join(folder, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private indexOf(turn: CheckpointTurn, path: string, kind: ErrorKinds['checkpoint']): number {
    const index = turn.files.findIndex((file) => file.path === path);
    if (index === -1) throw fail(kind, path, `turn ${turn.turn} has not saved ${path}`);
    return index;
  }
}

/** The checkpoints of one session; `folder` is `checkpoints/<session-id>` in the data folder. */
export function fileCheckpointStore(folder: string): CheckpointStore {
  return new FileCheckpointStore(folder);
}
