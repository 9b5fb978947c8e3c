import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  CommandRow,
  Dialog,
  Host,
  Outcome,
  ScreenSettings,
  ShellOutcome,
  StatusFacts,
  Surroundings,
} from '../../adapters/frontends/host.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { errorText, isPortError, toldText } from '../../ports/errors.ts';
import type { AgentSession } from '../../ports/frontend.ts';
import type { ImageBlock } from '../../ports/message.ts';
import { sessionErrorText } from '../session-errors.ts';
import { Clipboard, imageBlock, largestImage } from './clipboard/clipboard.ts';
import type { EarlyCommand } from './commands/command.ts';
import { type CommandEntry, table } from './commands/table.ts';
import { editedText } from './external-editor.ts';
import { ProjectFiles } from './files/project-files.ts';
import { History } from './history.ts';
import type { Program } from './program.ts';
import { StatusLine } from './status-line.ts';
import { chosenOfUnopened, dialogOfUnopened, unopenedDialog } from './unopened.ts';
import { surroundingsOf } from './surroundings.ts';

/** What the screen asks of the program around it, with files, programs and settings behind it. */
export class TuiHost implements Host {
  private readonly prompts: History;
  private readonly paths: ProjectFiles;
  private readonly clipboard: Clipboard;
  private readonly line: StatusLine;
  private readonly ending = new AbortController();
  private readonly loaded = new Map<string, EarlyCommand>();

  constructor(
    private readonly program: Program,
    private readonly all: readonly CommandEntry[] = table,
  ) {
    const { folder, version } = program;
    const redact = (text: string): string => program.folder.secrets.redact(text);
    const now = (): number => systemClock.now();
    this.prompts = new History({
      file: join(folder.places.data, 'history', `${folder.projectId}.jsonl`),
      redact,
      lock: takeFileLock,
    });
    this.paths = new ProjectFiles({
      cwd: folder.cwd,
      ripgrep: () => program.find('rg'),
      env: program.childEnvironment(),
      now,
      signal: this.ending.signal,
    });
    this.clipboard = new Clipboard({
      platform: process.platform,
      env: program.childEnvironment(),
      find: (name) => program.find(name),
    });
    this.line = new StatusLine({
      config: () => program.folder.settings.screen.statusLine,
      cwd: folder.cwd,
      project: folder.project,
      version,
      env: () => ({ ...program.childEnvironment(), LARIK: '1', LARIK_PROJECT_DIR: folder.project }),
      redact,
      now,
    });
  }

  commands(): readonly CommandRow[] {
    return this.all.map(({ name, about, argument, aliases, whileRunning }) => ({
      name,
      about,
      ...(argument === undefined ? {} : { argument }),
      ...(aliases === undefined ? {} : { aliases }),
      ...(whileRunning === undefined ? {} : { whileRunning }),
    }));
  }

  run(name: string, argument: string, session: AgentSession | null, signal: AbortSignal): Promise<Outcome> {
    const asked = { argument: argument.trim(), program: this.program, signal };
    return this.answering(name, session, (command) => command.run({ ...asked, session }));
  }

  choose(dialog: string, value: string, session: AgentSession | null, signal: AbortSignal): Promise<Outcome> {
    const { name, step } = dialogParts(dialog);
    if (name === unopenedDialog) return Promise.resolve(chosenOfUnopened(value, this.program));
    const answered = { step, value, program: this.program, signal };
    const nothing: Outcome = { type: 'nothing' };
    return this.answering(name, session, (command) => command.choose?.({ ...answered, session }) ?? nothing);
  }

  /** Finds the command and has it answer; what goes wrong is an outcome too. A session is there where it needs one. */
  private async answering(
    name: string,
    session: AgentSession | null,
    act: (command: EarlyCommand) => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const entry = this.all.find((one) => one.name === name || one.aliases?.includes(name) === true);
    if (entry === undefined) return { type: 'problem', text: `there is no command /${name}` };
    if (session === null && entry.early !== true)
      return { type: 'problem', text: `/${entry.name} needs a session, and none is open yet` };
    try {
      const command = this.loaded.get(entry.name) ?? (await entry.load());
      this.loaded.set(entry.name, command);
      return await act(command);
    } catch (error) {
      return { type: 'problem', text: failure(error) };
    }
  }

  unopened(error: unknown): Promise<Dialog | null> {
    return dialogOfUnopened(error, this.program);
  }

  preview(dialog: string, value: string | null): ScreenSettings | null {
    if (value === null) return this.settings();
    // Its dialog is open, so it is loaded.
    return this.loaded.get(dialogParts(dialog).name)?.preview?.(value, this.program) ?? null;
  }

  settings(): ScreenSettings {
    return this.program.screen();
  }

  async files(query: string, signal: AbortSignal): Promise<readonly string[]> {
    return signal.aborted ? [] : this.paths.matching(query);
  }

  async shell(
    command: string,
    session: AgentSession,
    signal: AbortSignal,
    onOutput: (text: string) => void,
  ): Promise<ShellOutcome> {
    const { exitCode, head, tail, omitted, sandboxed, durationMs } = await session.shell(
      command,
      signal,
      onOutput,
    );
    const output = omitted === 0 ? head + tail : `${head}\n… ${omitted} bytes left out …\n${tail}`;
    return { exitCode, output, sandboxed, durationMs };
  }

  history(): Promise<readonly string[]> {
    return this.prompts.all();
  }

  remember(prompt: string): void {
    this.prompts.add(prompt);
  }

  edit(text: string): Promise<string> {
    const editorEnv = this.program.childEnvironment();
    return editedText(text, { env: this.program.env, editorEnv });
  }

  clipboardImage(signal: AbortSignal): Promise<ImageBlock | null> {
    return this.clipboard.image(signal);
  }

  copy(text: string): Promise<boolean> {
    return this.clipboard.write(text);
  }

  async imageFile(path: string): Promise<ImageBlock | null> {
    try {
      const file = resolve(this.program.folder.cwd, path.startsWith('file://') ? fileURLToPath(path) : path);
      const found = await stat(file);
      if (!found.isFile() || found.size > largestImage) return null;
      return imageBlock(await readFile(file));
    } catch {
      return null; // No such file, or none that may be read: the path is text like any other.
    }
  }

  statusLine(facts: StatusFacts, signal: AbortSignal): Promise<string | null> {
    return this.line.show(facts, signal);
  }

  surroundings(): Promise<Surroundings> {
    const { folder, sandbox, isRecorded: recording, version } = this.program;
    return surroundingsOf({ ...folder, sandbox, recording, version });
  }

  /** Ends what runs beside the screen, and waits for what is to be kept. */
  async dispose(): Promise<void> {
    this.ending.abort();
    await this.prompts.written();
  }
}

/** A dialog's id as the command's name and the step. */
function dialogParts(dialog: string): { name: string; step: string } {
  const colon = dialog.indexOf(':');
  return colon === -1
    ? { name: dialog, step: '' }
    : { name: dialog.slice(0, colon), step: dialog.slice(colon + 1) };
}

function failure(error: unknown): string {
  if (isPortError(error, 'provider')) return toldText(error);
  if (isPortError(error, 'session')) return sessionErrorText(error, 'command');
  return errorText(error);
}
