import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import xterm from '@xterm/headless';
import { afterAll, afterEach, beforeAll, it } from 'vitest';
import { program } from '../e2e/larik.ts';
import { modelServer, type ModelServer, type Reply } from '../e2e/model-server.ts';
import { darkTerminal, lightTerminal, pictureOf } from './picture.ts';
import { startInTerminal, type ProgramInTerminal } from './pty.ts';

const folder = join(import.meta.dirname, '../../docs/pictures');

const files = {
  'src/queue.ts': `export class Queue<T> {
  readonly #jobs: T[] = [];

  push(job: T): void {
    this.#jobs.push(job);
  }

  /** The oldest job; it is kept until \`save\` has it. */
  take(save: (job: T) => void): T | undefined {
    const job = this.#jobs.shift();
    save(job);
    return job;
  }
}
`,
  'src/index.ts': "import { Queue } from './queue.ts';\n\nexport const jobs = new Queue<string>();\n",
  'package.json': '{ "name": "jobs", "type": "module", "scripts": { "test": "node --test" } }\n',
};

const overview = `## What is in it

\`src/queue.ts\` keeps the jobs; \`take\` **loses one** when saving fails:

\`\`\`ts
take(save: (job: T) => void): T | undefined {
  const job = this.#jobs.shift(); // gone, whatever save does
  save(job);
  return job;
}
\`\`\`

| file | what it is for | state |
| --- | --- | --- |
| src/queue.ts | jobs in memory, first come first served | loses jobs |
| src/index.ts | the queue that the service uses | fine |

1. Look at the first job without taking it away.
2. Save it, *then* remove it.
`;

const fixed = `  take(save: (job: T) => void): T | undefined {
    const job = this.#jobs[0];
    if (job === undefined) return undefined;
    save(job);
    this.#jobs.shift();`;

const tests = `for file in queue index store retry; do
  for at in 1 2 3 4 5; do echo "ok - $file keeps job $at"; done
done; while [ ! -e "$TMPDIR/../never" ]; do sleep 1; done`;

const explore: Reply[] = [
  { text: 'I will look at the queue first.', calls: [{ name: 'read', input: { path: 'src/queue.ts' } }] },
  { text: overview },
];

const mend: Reply[] = [
  { calls: [{ name: 'read', input: { path: 'src/queue.ts' } }] },
  {
    calls: [
      {
        name: 'todo_write',
        input: {
          items: [
            { content: 'Keep the job until it is saved', status: 'in_progress' },
            { content: 'Run the tests', status: 'pending' },
          ],
        },
      },
    ],
  },
  {
    text: 'The job has to stay until it is saved.',
    calls: [
      {
        name: 'edit',
        input: {
          path: 'src/queue.ts',
          old_string: `  take(save: (job: T) => void): T | undefined {
    const job = this.#jobs.shift();
    save(job);`,
          new_string: fixed,
        },
      },
    ],
  },
  { text: 'Now the tests.', calls: [{ name: 'bash', input: { command: tests } }] },
];

let server: ModelServer;
let screen: ProgramInTerminal;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'larik-')));

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

afterEach(async () => {
  screen.kill('SIGKILL');
  await screen.exited;
  await server.close();
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Scene {
  replies?: Reply[];
  columns?: number;
  rows?: number;
  theme?: 'dark' | 'light';
  /** No key, no model: as on a new machine. */
  isNew?: boolean;
}

/** larik in a project of its own, with a model that says what a scene has it say. */
async function open(scene: Scene = {}): Promise<void> {
  const { replies = [], columns = 100, rows = 30, theme = 'dark', isNew = false } = scene;
  rmSync(root, { recursive: true, force: true });
  const project = join(root, 'jobs');
  const all = isNew ? files : { ...files, '../.larik/config/config.json': JSON.stringify({ theme }) };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  execFileSync('git', ['init', '-q', '-b', 'main', project]);
  server = await modelServer(replies);
  const keys = { ANTHROPIC_API_KEY: 'sk-ant-none-at-all', ANTHROPIC_BASE_URL: server.url };
  screen = startInTerminal({
    command: process.execPath,
    args: [program, ...(isNew ? [] : ['--model', 'anthropic/claude-sonnet-5'])],
    env: {
      ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])),
      PATH: process.env['PATH'],
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      HOME: root,
      LARIK_HOME: join(root, '.larik'),
      ...(isNew ? {} : keys),
    },
    cwd: project,
    columns,
    rows,
  });
  await screen.waitFor('ctrl+c twice leaves');
}

async function take(name: string, { columns = 100, rows = 30, theme = 'dark' }: Scene = {}): Promise<void> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(screen.bytes(), resolve));
  const colours = theme === 'dark' ? darkTerminal : lightTerminal;
  const hasCursor = screen.bytes().lastIndexOf('\u001b[?25h') > screen.bytes().lastIndexOf('\u001b[?25l');
  writeFileSync(join(folder, `${name}.svg`), pictureOf(terminal, colours, hasCursor));
}

/** Resolves when a question has been on the screen for so long that keys answer it. */
async function canAnswer(): Promise<void> {
  const frames = new Set<number>();
  await screen.waitFor(() => frames.add(screen.bytes().length).size > 12);
}

async function send(text: string): Promise<void> {
  screen.write(text);
  await screen.waitFor(text);
  screen.write('\r');
}

it('start', async () => {
  await open();
  await screen.waitFor('on main');
  await take('start');
  screen.write('/');
  await screen.waitFor('/model');
  await take('commands');
  screen.write('\u0015');
  await send('/model');
  await screen.waitFor('enter chooses');
  await take('models');
});

it('wizard', async () => {
  await open({ isNew: true });
  await screen.waitFor('enter chooses');
  await take('wizard');
});

it.each([
  { name: 'answer', scene: {} },
  { name: 'small', scene: { columns: 80, rows: 24 } },
  { name: 'light', scene: { theme: 'light' as const } },
])('$name', async ({ name, scene }) => {
  await open({ ...scene, replies: explore });
  await send('What does this project do, and what is wrong with it?');
  await screen.waitFor('then remove it');
  await screen.waitFor('? for shortcuts');
  await take(name, scene);
});

it('streaming', async () => {
  const [first = {}] = explore;
  await open({
    replies: [first, { text: overview.slice(0, overview.indexOf('1. Look')), pace: 1, hang: true }],
  });
  await send('What does this project do, and what is wrong with it?');
  await screen.waitFor(/index\.ts .* fine/);
  screen.write('and say how to test it');
  await screen.waitFor('and say how to test it');
  screen.write('\r');
  await screen.waitFor('takes the last one back');
  screen.write('is there');
  await screen.waitFor('is there');
  await take('streaming');
});

it('question, difference, command', async () => {
  await open({ replies: mend });
  await send('Keep a job until it is saved, and run the tests');
  await screen.waitFor('Allow edit?');
  await canAnswer();
  await take('question');
  screen.write('y');
  await screen.waitFor('Now the tests.');
  await take('difference');
  await screen.waitFor(/Allow bash|retry keeps job 5/);
  if (screen.screen().join('\n').includes('Allow bash?')) {
    await canAnswer();
    screen.write('y');
  }
  await screen.waitFor('retry keeps job 5');
  await screen.waitFor(/bash .* \d s\n/);
  await take('command');
});

it('error', async () => {
  const body = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } };
  await open({ replies: [{ status: 401, body: JSON.stringify(body) }] });
  await send('What does this project do?');
  await screen.waitFor('/connect');
  await screen.waitFor('? for shortcuts');
  await take('error');
});
