import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { OutputStream } from '../adapters/frontends/output-stream.ts';
import { nearNames } from '../domain/text/near-names.ts';
import { oneLine } from '../domain/text/one-line.ts';
import { cleanTerminalText } from '../domain/text/terminal/terminal-text.ts';
import { errorText, isPortError, toldText } from '../ports/errors.ts';
import type { SettingsProblem } from '../ports/settings.ts';
import { commandHelp, generalHelp } from './command-line/help.ts';
import { parseLine, UsageError, type ParsedLine } from './command-line/parse.ts';
import { commands } from './command-line/table.ts';
import { sessionStore, undoPorts } from './compose.ts';
import { openFolder, type Folder } from './folder/folder.ts';
import { knownSecrets } from './folder/known-secrets.ts';
import { runHeadless } from './headless/headless.ts';
import { sessionErrorText } from './session-errors.ts';
import { endProcess } from './start-up/process-end.ts';

/** Where commands read and write. Results go to `stdout`, everything else to `stderr`. */
export interface CommandIo {
  stdin: AsyncIterable<string | Uint8Array>;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** What must appear in no text; with a folder, what its settings hold as well. */
let secrets = knownSecrets({}, process.env);

const out = new OutputStream(process.stdout);
const err = new OutputStream(process.stderr);

const io: CommandIo = {
  stdin: process.stdin,
  stdout: (text) => void out.write(secrets.redact(text)),
  stderr: (text) => void err.write(secrets.redact(text)),
};

/** A full-screen UI has the terminal: what is written now is gone when it gives it back. */
let isOnScreen = false;

/** Tells what was found wrong in the settings; true if the start must stop. */
function reportProblems(problems: readonly SettingsProblem[], quiet: boolean): boolean {
  for (const problem of problems) {
    if (problem.level === 'error' || !quiet) io.stderr(`larik: ${problem.level}: ${oneLine(problem.text)}\n`);
  }
  return problems.some((problem) => problem.fatal);
}

async function runCommand(line: ParsedLine, folder: Folder, version: string): Promise<number> {
  const { command, flags, operands } = line;
  const json = flags['json'] === true;
  const [action, ...rest] = operands;
  switch (command.name) {
    case '': {
      if (flags['print'] === true) return runHeadless(line, folder, version, io);
      const { runTui } = await import('./tui/tui.ts');
      return runTui(line, folder, version, () => (isOnScreen = true));
    }
    case 'sessions': {
      const { sessionsCommand } = await import('./commands/sessions.ts');
      return sessionsCommand({ action, operands: rest, json }, sessionStore(folder), io);
    }
    case 'trace': {
      const { traceCommand } = await import('./commands/trace.ts');
      const { stat } = await import('node:fs/promises');
      const isFile = (path: string) =>
        stat(path).then(
          (found) => found.isFile(),
          () => false,
        );
      const cache = flags['cache'] === true;
      const written = () => out.flush();
      return traceCommand(
        { id: action, json, cache },
        { sessions: sessionStore(folder), isFile, written },
        io,
      );
    }
    case 'undo':
    case 'redo': {
      const { undoCommand } = await import('./commands/undo.ts');
      const { confirmer } = await import('./commands/confirm.ts');
      const [dryRun, force] = [flags['dry-run'] === true, flags['force'] === true];
      const id = action === undefined ? {} : { id: action };
      return undoCommand(
        { ...id, redo: command.name === 'redo', dryRun, force, json },
        { ...undoPorts(folder), confirm: confirmer() },
        io,
      );
    }
    case 'permissions': {
      const { permissionsCommand } = await import('./commands/permissions.ts');
      const { cwd, settings } = folder;
      const { mode, rules, guard } = settings;
      const { sandboxOf, deniedToRead } = await import('./folder/sandbox.ts');
      const sandboxed = async (): Promise<boolean> => (await sandboxOf(folder).describe()).works;
      const hidden = deniedToRead(folder);
      const given = { action, operands: rest, json, mode, cwd, rules, guard, hidden, sandboxed };
      return permissionsCommand(given, io);
    }
    case 'config': {
      const { configCommand } = await import('./commands/config.ts');
      const { loadLayers, settingsFiles } = await import('../adapters/settings/load.ts');
      const layers = async () => (await loadLayers({ ...folder, env: process.env, flags })).layers;
      const { env } = process;
      const editorEnv = folder.secrets.environment(env);
      const sources = { settings: folder.settings, files: settingsFiles(folder), env, editorEnv, layers };
      return configCommand({ action, operands: rest, json, project: flags['project'] === true }, sources, io);
    }
    case 'trust': {
      const { trustCommand } = await import('./commands/trust.ts');
      const { trustSources } = await import('./commands/trust/sources.ts');
      const [all, yes] = [flags['all'] === true, flags['yes'] === true];
      return trustCommand({ action, operands: rest, all, yes, json }, trustSources(folder), io);
    }
    case 'context': {
      const { showContext } = await import('./context.ts');
      return showContext(line, folder, io);
    }
    case 'sandbox': {
      const { sandboxCommand } = await import('./commands/sandbox.ts');
      return sandboxCommand(operands, json, folder, io);
    }
    case 'models': {
      const { modelsCommand } = await import('./commands/models.ts');
      const { providerStates } = await import('../adapters/providers/overview.ts');
      const { settings } = folder;
      const states = await providerStates({ settings, env: process.env });
      return modelsCommand({ filter: action ?? '', json, settings, states }, io);
    }
    case 'providers': {
      const { providersCommand } = await import('./commands/providers.ts');
      const model = typeof flags['model'] === 'string' ? flags['model'] : undefined;
      return providersCommand({ action, operands: rest, model, json }, folder, io);
    }
    case 'doctor': {
      const { doctorCommand } = await import('./commands/doctor/doctor.ts');
      const { installationChecks } = await import('./commands/doctor/installation.ts');
      return doctorCommand(installationChecks(folder), json, io);
    }
    default:
      throw new UsageError(`unknown command ${command.name}`);
  }
}

function nothingOn(wanted: string): string {
  const near = nearNames(
    wanted,
    commands.map(({ name }) => name).filter((name) => name !== ''),
  );
  const hint = near.length === 0 ? 'larik --help lists what there is' : `did you mean ${near.join(' or ')}?`;
  return `there is no help on ${oneLine(wanted)}; ${hint}`;
}

function help(line: ParsedLine): string | null {
  const wanted = line.command.name === 'help' ? line.operands[0] : undefined;
  if (line.command.name === 'help' && wanted === undefined) return generalHelp();
  if (line.flags['help'] !== true && wanted === undefined) return null;
  const named = commands.find((command) => command.name === (wanted ?? line.command.name));
  if (named === undefined) throw new UsageError(nothingOn(wanted ?? ''));
  return named.name === '' ? generalHelp() : commandHelp(named);
}

/** Prints the script for a shell; it needs no settings, so that a broken file breaks no shell's start. */
async function completion([shell = '']: readonly string[]): Promise<number> {
  const { completionScript } = await import('./command-line/completion/script.ts');
  const script = completionScript(shell);
  if (script === null)
    throw new UsageError(`there is no completion for ${oneLine(shell)}; there is for bash, zsh and fish`);
  io.stdout(script);
  return 0;
}

async function dispatch(args: readonly string[], version: string): Promise<number> {
  const line = parseLine(args);
  const text = help(line);
  if (text !== null) {
    io.stdout(text);
    return 0;
  }
  if (line.command.name === 'completion') return completion(line.operands);
  const folder = await openFolder(line.flags);
  secrets = folder.secrets;
  // It tells of the problems itself, and runs where nothing else does.
  if (line.command.name === 'doctor') return runCommand(line, folder, version);
  // On a screen the session tells of what does not stop the start.
  const isForScreen = line.command.name === '' && line.flags['print'] !== true;
  const quiet = line.flags['quiet'] === true || isForScreen;
  const stops = reportProblems(folder.settings.problems, quiet);
  // A run is what they would take part in.
  const unapproved = quiet || line.command.name !== '' ? [] : folder.unapproved;
  for (const text of unapproved) io.stderr(`larik: warning: ${oneLine(text)}\n`);
  // Settings that stop the start are mended with `larik config`.
  if (stops && line.command.name !== 'config') return 2;
  return runCommand(line, folder, version);
}

function told(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: error.message, code: 2 };
  if (isPortError(error, 'provider')) {
    return { text: toldText(error), code: error.kind === 'not_found' ? 2 : 1 };
  }
  if (isPortError(error, 'session')) return { text: sessionErrorText(error, 'run'), code: 1 };
  if (isPortError(error, 'settings')) return { text: error.message, code: 2 };
  return { text: `unexpected: ${errorText(error)}`, code: 1 };
}

/** A fault of larik's own: told as all else is, and the end. */
function crash(error: unknown): void {
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = `larik: unexpected: ${cleanTerminalText(said)}\n`;
  if (!isOnScreen) io.stderr(text);
  // After the UI's own, which gives the terminal back.
  else process.on('exit', () => void writeSync(process.stderr.fd, secrets.redact(text)));
  void err.flush().then(() => endProcess(1));
}

/** Runs the command line and ends the process once everything is written. */
export async function runCommandLine(args: readonly string[], version: string): Promise<void> {
  let code: number;
  const lost: string[] = [];
  // A reader that has gone, as `| head` does, is no error; a disk that is full is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      lost.push(error.code === 'ENOSPC' ? 'the disk is full (ENOSPC)' : error.message);
  });
  process.stderr.on('error', () => undefined); // there is nowhere to tell it
  process.on('uncaughtException', crash);
  try {
    code = await dispatch(args, version);
  } catch (error) {
    const { text, code: failed } = told(error);
    // A path or a name that others chose may stand in it.
    io.stderr(`larik: ${cleanTerminalText(text)}\n`);
    code = failed;
  }
  await out.flush();
  if (lost[0] !== undefined) {
    io.stderr(`larik: standard output cannot be written: ${lost[0]}\n`);
    if (code === 0) code = 1;
  }
  await err.flush();
  endProcess(code);
}
