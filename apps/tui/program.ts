import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import type { OpenedSession, ScreenSettings } from '../../adapters/frontends/host.ts';
import { loadSettings, settingsFiles } from '../../adapters/settings/load.ts';
import { setSetting } from '../../adapters/settings/writing/set-setting.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { Sandbox } from '../../ports/sandbox.ts';
import { SessionStore } from '../../ports/session.ts';
import type { LoadedSettings, ProviderConfig } from '../../ports/settings.ts';
import type { ParsedLine } from '../command-line/parse.ts';
import { exists } from '../commands/config/exists.ts';
import { modelTable, processScope } from '../compose.ts';
import { deniedToRead } from '../folder/sandbox.ts';
import type { Folder } from '../folder/folder.ts';
import { isRecorded, openWithEntries, type SessionChoice } from '../open-session.ts';
import { eventsOf } from '../session-history.ts';
import { CurrentModels } from './current-models.ts';
import { screenSettings } from './screen-settings.ts';
import { contrastNotice, ownThemes, type OwnThemes } from './own-themes.ts';

export interface ProgramOptions {
  folder: Folder;
  flags: ParsedLine['flags'];
  version: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * What the commands of the screen work on: the folder with its settings as they are now, and what all
 * sessions of this process share. Made before the first frame, so nothing is probed or read here.
 */
export class Program {
  readonly version: string;
  readonly env: ProgramOptions['env'];
  readonly flags: ProgramOptions['flags'];
  readonly models: CurrentModels;
  private readonly scope: DependencyContainer;
  private current: Folder;
  /** Connections of this run only, which no file holds. */
  private readonly passing: Record<string, ProviderConfig> = {};
  private themes: OwnThemes = { themes: [], problems: [] };
  /** The model that was chosen before a session was open. */
  private preferred: string | null = null;
  /** The first session in place of the one that the command line names. */
  private begin: SessionChoice | 'unkept' | null = null;

  constructor({ folder, flags, version, env }: ProgramOptions) {
    this.current = folder;
    this.flags = flags;
    this.version = version;
    this.env = env;
    this.models = new CurrentModels(modelTable(folder));
    this.scope = processScope(folder, this.models);
  }

  get folder(): Folder {
    return this.current;
  }

  get sessions(): SessionStore {
    return this.scope.resolve<SessionStore>(SessionStore);
  }

  get sandbox(): Sandbox {
    return this.scope.resolve<Sandbox>(Sandbox);
  }

  get isRecorded(): boolean {
    return isRecorded(this.flags);
  }

  /** What the screen follows of the settings. */
  screen(): ScreenSettings {
    return screenSettings(this.current.settings.screen, this.themes.themes);
  }

  /** Reads the user's own themes anew; they are needed only where one is in force or to be chosen. */
  async loadThemes(): Promise<OwnThemes> {
    this.themes = await ownThemes(join(this.current.places.config, 'themes'));
    return this.themes;
  }

  /** What is wrong with the user's own theme, if one is in force. */
  private themeNotices(): string[] {
    const { theme } = this.current.settings.screen;
    const own = this.themes.themes.find(({ name }) => name === theme);
    const notice = own === undefined ? null : contrastNotice(own);
    return notice === null ? [] : [notice];
  }

  /** Variables for a program that larik starts: no keys. */
  childEnvironment(): Record<string, string> {
    return this.current.secrets.environment(this.env);
  }

  /** The absolute path of a program that is not the project's, or null. */
  find(program: string): Promise<string | null> {
    return searchProgram(program, this.env['PATH'], this.current.project);
  }

  /** Files and folders that nothing shows anything of. */
  hidden(): string[] {
    return deniedToRead(this.current);
  }

  /**
   * Opens a session beside the one that is on the screen, which stays as it is: who shows the new one
   * disposes of the old. Without a choice it is what the command line says, or `beginWith`. Throws as
   * `openSession` does.
   */
  async open(choice?: SessionChoice, asNow?: Partial<LoadedSettings>): Promise<OpenedSession> {
    const { settings, unapproved } = this.current;
    const folder = { ...this.current, settings: { ...settings, ...asNow } };
    // What the line said of the first session is no word on the others.
    const named = asNow?.model ?? (choice === undefined ? this.preferred : null);
    const unkept: ParsedLine['flags'] =
      choice === undefined && this.begin === 'unkept' ? { 'no-session': true } : {};
    const chosen = choice ?? (this.begin === 'unkept' ? { type: 'new' as const } : this.begin);
    const flags = {
      ...(choice === undefined ? this.flags : withoutChoice(this.flags)),
      ...unkept,
      ...(named === null ? {} : { model: named }),
    };
    const notices =
      choice === undefined
        ? [...settings.problems.map(({ text }) => text), ...unapproved, ...this.themeNotices()]
        : [];
    const { session, entries } = await openWithEntries(folder, flags, {
      version: this.version,
      interactive: true,
      scope: this.scope,
      ...(chosen === null ? {} : { choice: chosen }),
      notices,
    });
    return { session, history: eventsOf(entries), ...titled(entries) };
  }

  /** The personal settings file: the one that is in use, or the one that will be made. */
  async personalFile(): Promise<string> {
    const { personal } = settingsFiles(this.current);
    for (const file of personal) if (await exists(file)) return file;
    return personal[0] ?? join(this.current.places.config, 'config.json');
  }

  /** Saves a setting of the user's own, and follows it; undefined takes it away. Throws `PortError<'settings'>`. */
  async save(path: readonly string[], value: unknown): Promise<string> {
    const file = await this.personalFile();
    await setSetting(file, path, value, takeFileLock);
    await this.reload();
    return file;
  }

  /** Keeps a connection for this run; null takes it back. */
  async connect(name: string, config: ProviderConfig | null): Promise<void> {
    if (config === null) delete this.passing[name];
    else this.passing[name] = config;
    await this.reload();
  }

  /** The model of the first session, whatever the command line says. */
  prefer(model: string): void {
    this.preferred = model;
  }

  /** The first session is this one, whatever the command line says; `unkept` is a new one without a file. */
  beginWith(choice: SessionChoice | 'unkept'): void {
    this.begin = choice;
  }

  private async reload(): Promise<void> {
    const { project, places } = this.current;
    this.follow(await loadSettings({ project, places, env: this.env, flags: this.flags }));
  }

  private follow(settings: LoadedSettings): void {
    const providers = { ...settings.providers, ...this.passing };
    for (const { apiKey, headers } of Object.values(providers)) {
      this.current.secrets.addKey(apiKey);
      this.current.secrets.addHeaders(headers);
    }
    this.current = { ...this.current, settings: { ...settings, providers } };
    this.models.replace(modelTable(this.current));
  }

  /** Ends what the sessions shared. */
  async dispose(): Promise<void> {
    await this.sandbox.dispose();
  }
}

/** Flags without what they say of the first session. */
function withoutChoice(flags: ParsedLine['flags']): ParsedLine['flags'] {
  const others = { ...flags };
  for (const name of ['model', 'resume', 'continue', 'fork']) delete others[name];
  return others;
}

function titled(entries: readonly { entry: object }[]): { title?: string } {
  for (const { entry } of entries.toReversed()) {
    if ('title' in entry && typeof entry.title === 'string') return { title: entry.title };
  }
  return {};
}
