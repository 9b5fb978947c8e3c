import type { CheckpointTurn, FileState, SavedFile, TurnTree } from '../../ports/checkpoint.ts';

/** How many commands a turn's manifest names. */
const maxCommands = 20;

interface Fields {
  [name: string]: unknown;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isState(value: unknown): value is FileState | null {
  if (value === null) return true;
  if (!isFields(value)) return false;
  const { hash, mode, size } = value;
  return typeof hash === 'string' && typeof mode === 'number' && typeof size === 'number';
}

function isFile(value: unknown): value is SavedFile {
  if (!isFields(value)) return false;
  const { path, before, after, made, undone } = value;
  if (typeof path !== 'string' || !isState(before)) return false;
  if (after !== undefined && after !== null && typeof after !== 'string') return false;
  if (made !== undefined && typeof made !== 'number') return false;
  return undone === undefined || isState(undone);
}

function isTree(value: unknown): value is TurnTree {
  if (!isFields(value)) return false;
  const { name, older, compared } = value;
  if (typeof name !== 'string' || !/^[\w-]{1,100}$/.test(name) || typeof older !== 'number') return false;
  return compared === null || compared === 'in_time' || compared === 'late';
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Reads a manifest; null if the text is not one. */
export function parseManifest(text: string): CheckpointTurn | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // the caller says which file it is
  }
  if (!isFields(value) || value['version'] !== 1) return null;
  // Earlier manifests have neither notes nor tree.
  const { turn, files, commands, notes = [], tree, undone } = value;
  if (typeof turn !== 'number' || !Array.isArray(files) || !files.every(isFile)) return null;
  if (!isTexts(commands) || !isTexts(notes)) return null;
  if (tree !== undefined && !isTree(tree)) return null;
  if (undone !== null && typeof undone !== 'number') return null;
  return { turn, files, commands, notes, ...(tree === undefined ? {} : { tree }), undone };
}

export function formatManifest(turn: CheckpointTurn): string {
  return JSON.stringify({ version: 1, ...turn });
}

export function withFile(turn: CheckpointTurn, file: SavedFile): CheckpointTurn {
  return { ...turn, files: [...turn.files, file] };
}

/** The turn with one file changed. */
export function withChange(turn: CheckpointTurn, path: string, change: Partial<SavedFile>): CheckpointTurn {
  return { ...turn, files: turn.files.map((file) => (file.path === path ? { ...file, ...change } : file)) };
}

/** The turn with one more command named; the first line is enough to know it by. */
export function withCommand(turn: CheckpointTurn, command: string): CheckpointTurn {
  const line = command.trim().split('\n')[0] ?? '';
  const text = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  if (turn.commands.includes(text) || turn.commands.length > maxCommands) return turn;
  return {
    ...turn,
    commands: [...turn.commands, turn.commands.length === maxCommands ? 'and others' : text],
  };
}

export function withNote(turn: CheckpointTurn, note: string): CheckpointTurn {
  return turn.notes.includes(note) ? turn : { ...turn, notes: [...turn.notes, note] };
}

export function withUndone(turn: CheckpointTurn, order: number | null): CheckpointTurn {
  if (order !== null) return { ...turn, undone: order };
  const files = turn.files.map((file) => {
    const kept = { ...file };
    delete kept.undone;
    return kept;
  });
  return { ...turn, undone: null, files };
}
