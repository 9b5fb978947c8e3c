import { errorText, isPortError, PortError } from '../../ports/errors.ts';
import type { FileSystem, ResolvedPath } from '../../ports/filesystem.ts';
import type { BackgroundOutput, CommandSpec, ProcessRunner } from '../../ports/process.ts';
import type { ShellParser } from '../../ports/shell-parser.ts';
import type { Checkpoints } from './checkpoints.ts';
import { readBashLine } from '../permissions/bash/bash-line.ts';
import { isOnSafeList } from '../permissions/bash/safe-list.ts';
import { readDenied, showRefusal, writeRefusal, type Place } from '../permissions/path-policy.ts';
import type { Rules } from '../permissions/rules.ts';
import { fold } from '../text/fold.ts';
import { oneLine } from '../text/one-line.ts';
import { isInside } from '../text/path-text.ts';

export interface FileGuard {
  place: Place;
  /** Folders that no tool shows anything of, nor writes to, such as the one with larik's own keys. */
  hidden: readonly string[];
  /** Larik's own folders: code and records in them are used later, so no tool writes there. */
  own: readonly string[];
  /** The rules that hold at this moment. */
  rules(): Rules;
  checkpoints: Pick<Checkpoints, 'capture' | 'wrote'>;
}

function refused(path: string, text: string): PortError<'file'> {
  return new PortError('file', 'refused', text, { path });
}

/**
 * The files that tools get (spec: architecture, "Wrapping instead of flags"): writes stay inside the
 * project, off links and protected files, and happen only after the checkpoint was captured; reads
 * obey `read` deny rules. A tool cannot forget any of it.
 */
export function guardFiles(files: FileSystem, guard: FileGuard): FileSystem {
  const { place, checkpoints } = guard;
  const resolve = (path: string): Promise<ResolvedPath> => files.resolve(path, place.cwd);

  /** The path to change, once it may be changed and its state is saved. */
  async function prepared(path: string): Promise<string> {
    const resolved = await resolve(path);
    const isOwn = guard.own.some((folder) => isInside(fold(resolved.path), fold(folder)));
    // A new file beside keys decides about them as well, such as one in `~/.ssh` where home is the project.
    const refusal = isOwn
      ? `${path} lies in a folder of larik's own`
      : (writeRefusal(resolved, place) ?? showRefusal(resolved, guard.hidden));
    if (refusal !== null) throw refused(path, refusal);
    try {
      await checkpoints.capture(resolved.path);
    } catch (error) {
      throw refused(path, `Nothing was written, since it could not be undone: ${errorText(error)}`);
    }
    return resolved.path;
  }

  async function noted(path: string, after: string | null): Promise<void> {
    try {
      await checkpoints.wrote(path, after);
    } catch (error) {
      const text = `${path} was changed, but that could not be recorded for undo: ${errorText(error)}`;
      throw new PortError('file', 'io', text, { path });
    }
  }

  const isShown = (path: string): boolean => showRefusal({ path, target: null }, guard.hidden) === null;

  async function mayRead(path: string): Promise<boolean> {
    const rules = guard.rules();
    // Most sets of rules have none for `read`, and a search asks for thousands of paths.
    if (!rules.deny.some((rule) => rule.tool === 'read')) return true;
    return readDenied(await resolve(path), { ...place, rules }) === null;
  }

  async function checkRead(path: string): Promise<ResolvedPath> {
    const resolved = await resolve(path);
    checkShown(path, resolved);
    return resolved;
  }

  function checkShown(path: string, resolved: ResolvedPath): void {
    const refusal = showRefusal(resolved, guard.hidden);
    if (refusal !== null) throw refused(path, refusal);
    if (readDenied(resolved, { ...place, rules: guard.rules() }) !== null) {
      throw refused(path, `A deny rule for \`read\` covers ${path}`);
    }
  }

  return {
    resolve: (path, cwd) => files.resolve(path, cwd),
    stat: (path) => files.stat(path),
    async read(path, range) {
      const resolved = await checkRead(path);
      const content = await (range === undefined ? files.read(path) : files.read(path, range));
      // What was opened is not what was looked at if a link was put on the way in between.
      checkShown(path, { ...resolved, target: content.target });
      return content;
    },
    async list(path) {
      await checkRead(path);
      return files.list(path);
    },
    async write(path, bytes, options) {
      const target = await prepared(path);
      const hash = await files.write(target, bytes, options);
      await noted(target, hash);
      return hash;
    },
    async remove(path) {
      const target = await prepared(path);
      await files.remove(target);
      await noted(target, null);
    },
    async readable(paths) {
      const allowed = await files.readable(paths);
      // A search follows no links, so the path itself tells where it is.
      return Promise.all(
        paths.map(async (path, at) => allowed[at] === true && isShown(path) && (await mayRead(path))),
      );
    },
  };
}

/** `files` until the signal aborts: a tool that was left behind then changes nothing any more. */
export function untilAborted(files: FileSystem, signal: AbortSignal): FileSystem {
  const mayChange = (path: string): void => {
    if (signal.aborted) throw refused(path, `Nothing was changed, since the turn was interrupted: ${path}`);
  };
  return {
    resolve: (path, cwd) => files.resolve(path, cwd),
    stat: (path) => files.stat(path),
    read: (path, range) => (range === undefined ? files.read(path) : files.read(path, range)),
    list: (path) => files.list(path),
    async write(path, bytes, options) {
      mayChange(path);
      return files.write(path, bytes, options);
    },
    async remove(path) {
      mayChange(path);
      return files.remove(path);
    },
    readable: (paths) => files.readable(paths),
  };
}

export interface CommandGuard {
  checkpoints: Pick<Checkpoints, 'beforeCommand' | 'afterCommand' | 'started' | 'ended'>;
  files: Pick<FileSystem, 'resolve'>;
  parser: ShellParser;
  /** Tells the user something. */
  tell(text: string): void;
}

/**
 * The processes that tools get: before a shell command that may change files, the checkpoint keeps how
 * they are (spec: sessions, "Checkpoints"). Programs that tools run for themselves change nothing.
 */
export function noteCommands(processes: ProcessRunner, guard: CommandGuard): ProcessRunner {
  const { checkpoints, files, parser, tell } = guard;

  /** The files that the command was said to change. */
  async function before(spec: CommandSpec): Promise<string[]> {
    if (!('shell' in spec.command)) return [];
    const line = readBashLine(spec.command.shell, parser);
    if (isOnSafeList(line) && !line.writes) return [];
    const named = await Promise.all(
      (spec.checkpointPaths ?? []).map((path) => files.resolve(path, spec.cwd)),
    );
    const paths = named.map(({ path }) => path);
    try {
      const notice = await checkpoints.beforeCommand(spec.command.shell, paths);
      if (notice !== null) tell(notice);
      return paths;
    } catch (error) {
      if (!isPortError(error, 'checkpoint')) throw error;
      const text = `Nothing was run, since it could not be undone: ${errorText(error)}`;
      throw new PortError('process', 'io', text, {});
    }
  }

  async function after(paths: readonly string[]): Promise<void> {
    try {
      await checkpoints.afterCommand(paths);
    } catch (error) {
      if (!isPortError(error, 'checkpoint') && !isPortError(error, 'file')) throw error;
      tell(`What the command made of its files could not be noted for undo: ${errorText(error)}`);
    }
  }

  /** Takes note if the command has ended. */
  async function seen(id: string, asked: Promise<BackgroundOutput>): Promise<BackgroundOutput> {
    const output = await asked;
    if (output.status !== 'running') checkpoints.ended(id);
    return output;
  }

  return {
    find: (program) => processes.find(program),
    async run(spec, signal, onOutput) {
      const paths = await before(spec);
      try {
        return await processes.run(spec, signal, onOutput);
      } finally {
        await after(paths);
      }
    },
    async start(spec) {
      await before(spec);
      const id = await processes.start(spec);
      if ('shell' in spec.command) checkpoints.started(id, oneLine(spec.command.shell));
      return id;
    },
    output: (id) => seen(id, processes.output(id)),
    stop: (id) => seen(id, processes.stop(id)),
    dispose: () => processes.dispose(),
  };
}
