import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { sandbox, type Ended, type RunOptions, type Sandbox } from '../larik.ts';
import { modelServer, type ModelServer, type Reply } from '../model-server.ts';

/** How a message comes about: what stands there, and what is typed. */
export interface Scenario {
  name: string;
  args: string[] | ((stage: Stage) => string[]);
  /** Sets things up; returns how the command is run. Runs before `args` are asked for. */
  prepare?: (stage: Stage) => Promise<RunOptions | void>;
  /** The lines of standard output that do not depend on the machine; without it, all. */
  only?: RegExp;
  /** Why it cannot be had on this machine; then it is skipped. */
  skip?: string | false;
}

/** The number of a user who owns nothing. */
const nobody = 65534;

/** A project, a home, and what a scenario puts into them. */
export class Stage {
  readonly #undo: (() => Promise<void> | void)[] = [];
  server: ModelServer | null = null;
  /** The session that `session` made. */
  id = '';
  /** Texts that differ from run to run, and what stands for them in the golden file. */
  readonly names = new Map<string, string>();

  private constructor(readonly box: Sandbox) {}

  static async open(): Promise<Stage> {
    return new Stage(await sandbox({ 'a.txt': 'one\n' }));
  }

  get config(): string {
    return join(this.box.home, 'larik', 'config');
  }

  /** Something that must be undone before the folder goes. */
  later(undo: () => Promise<void> | void): void {
    this.#undo.unshift(undo);
  }

  async write(path: string, content: string | Uint8Array): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  /** The personal settings. */
  settings(content: string | Uint8Array, name = 'config.json'): Promise<string> {
    return this.write(join(this.config, name), content);
  }

  shared(content: string): Promise<string> {
    return this.write(join(this.box.project, '.larik', 'settings.json'), content);
  }

  /** A model server, and the environment that leads to it as Anthropic's. */
  async serve(...replies: Reply[]): Promise<RunOptions> {
    this.server = await modelServer(replies);
    return { env: { ANTHROPIC_BASE_URL: this.server.url, ANTHROPIC_API_KEY: 'key-secret' } };
  }

  /** A model server that speaks Chat Completions, as the provider `mock`. */
  async serveChat(reply: Reply, more: object = {}): Promise<RunOptions> {
    this.server = await modelServer([reply]);
    return this.provider({ base_url: `${this.server.url}/v1`, ...more });
  }

  /** Settings with a provider `mock`, used by default. */
  async provider(mock: object): Promise<RunOptions> {
    const providers = { mock: { type: 'openai-compatible', ...mock } };
    await this.settings(JSON.stringify({ model: 'mock/m', providers }));
    return {};
  }

  /** A session of the offline demo, and the path of its file. */
  async session(prompt = 'show a.txt'): Promise<string> {
    await this.box.run(['-p', prompt, '--model', 'demo/demo', '--mode', 'accept-edits']);
    const root = join(this.box.home, 'larik', 'data', 'sessions');
    const names = await readdir(root, { recursive: true });
    const file =
      names
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .at(-1) ?? '';
    this.id = /[^/\\]*(?=\.jsonl)/.exec(file)?.[0] ?? '';
    return join(root, file);
  }

  /** Everything that stands here becomes a plain user's, as whom the command then runs: root may do all. */
  async asPlainUser(): Promise<RunOptions> {
    if (process.getuid?.() !== 0) return {};
    const root = dirname(this.box.home);
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, root]);
    return { uid: nobody };
  }

  /** A model of the user's own that gives these replies, as the arguments that choose it. */
  async script(replies: object[]): Promise<string[]> {
    const file = await this.write(join(this.box.home, 'model.json'), JSON.stringify(replies));
    return ['--model', `script/${file}`];
  }

  async close(): Promise<void> {
    for (const undo of this.#undo) await undo();
    await this.server?.close();
    await this.box.dispose();
  }
}

/** What differs from run to run and machine to machine, replaced by names. */
function plain(text: string, { box, server, names }: Stage): string {
  const port = server === null ? null : new URL(server.url).port;
  let named = text;
  for (const [from, to] of names) named = named.replaceAll(from, to);
  return named
    .replaceAll(box.project, 'PROJECT')
    .replaceAll(box.home, 'HOME')
    .replaceAll(dirname(box.home), 'ROOT')
    .replaceAll(port === null ? '\0' : `127.0.0.1:${port}`, '127.0.0.1:PORT')
    .replaceAll(/\b\d{8}-\d{6}-[0-9a-z]{6}\b/g, 'SESSION')
    .replaceAll(/(?<=process )\d+/g, 'PID')
    .replaceAll(/(?<=^Waits )[\d.]+/gm, 'N')
    .replaceAll(/(?<=about |→ )\d[\d,]*/g, 'N')
    .replaceAll(hostname(), 'HOST')
    .replaceAll(/project-[0-9a-f]{8}/g, 'PROJECT-ID');
}

export interface Message {
  /** As it stands in the golden file. */
  block: string;
  ended: Ended;
}

const shown = (word: string): string => (/^[\w./:@%+,=-]+$/.test(word) ? word : `'${word}'`);

/** Plays a scenario through the built program. */
export async function play(scenario: Scenario): Promise<Message> {
  const stage = await Stage.open();
  try {
    const options = (await scenario.prepare?.(stage)) ?? {};
    const args = typeof scenario.args === 'function' ? scenario.args(stage) : scenario.args;
    const ended = await stage.box.run(args, options);
    const typed = `$ larik ${args.map(shown).join(' ')}`;
    const { only } = scenario;
    const lines = ended.out.split('\n').filter((line) => only === undefined || only.test(line));
    const out = lines.join('\n').trimEnd();
    const said = out === '' ? '' : `${out.replaceAll(/^/gm, '> ')}\n`;
    const block = `# ${scenario.name}\n${typed}\n${said}${ended.err}(exit ${ended.code})\n`;
    return { block: plain(block, stage), ended };
  } finally {
    await stage.close();
  }
}
