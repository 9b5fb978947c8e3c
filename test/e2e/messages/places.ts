import { execFileSync } from 'node:child_process';
import { appendFile, chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scenario, Stage } from './scenario.ts';

const run = ['-p', 'show a.txt', '--model', 'demo/demo'];
const isRoot = process.getuid?.() === 0;
const onlyLinux = process.platform !== 'linux' && 'needs Linux';

/** A lock as a living process would hold it. */
async function hold(stage: Stage, prompt?: string): Promise<void> {
  const path = (await stage.session(prompt)).replace(/jsonl$/, 'lock');
  await stage.write(path, JSON.stringify({ pid: process.pid, host: hostname(), started: null, token: 't' }));
}

/** Changes the first line of a session. */
async function editMeta(stage: Stage, change: (line: string) => string): Promise<void> {
  const path = await stage.session();
  const [first = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [change(first), ...rest].join('\n'));
}

/** A session with lines that are none behind its good ones. */
async function breakInTheMiddle(stage: Stage): Promise<void> {
  const path = await stage.session();
  await appendFile(
    path,
    'what is this\n{"id":"zz","parent_id":null,"time":"2026-01-01T00:00:00.000Z","type":"title","title":"x"}\n',
  );
}

/** A turn in which a model makes these calls. */
async function turnOf(stage: Stage, ...calls: object[]): Promise<void> {
  const model = await stage.script([{ calls }, { text: 'done' }]);
  await stage.box.run(['-p', 'x', ...model, '--mode', 'yolo']);
}

const resume = ({ id }: Stage): string[] => [...run, '--resume', id];

/** Sessions that cannot be gone on with, and what cannot be undone. */
export const sessions: Scenario[] = [
  { name: 'session: none to go on with', args: [...run, '-c'] },
  { name: 'session: an unknown id', args: [...run, '--resume', 'nope'] },
  { name: 'session: an id that is no id', args: [...run, '--resume', '../x'] },
  {
    name: 'session: a beginning of two ids',
    args: [...run, '--resume', '2'],
    prepare: async (stage) => {
      const path = await stage.session();
      await copyFile(path, join(dirname(path), '20260101-000000-aaaaaa.jsonl'));
    },
  },
  { name: 'session: held by another process', args: resume, prepare: (stage) => hold(stage) },
  {
    name: 'session: of a later version',
    args: resume,
    prepare: (stage) => editMeta(stage, (line) => line.replace('"version":1', '"version":99')),
  },
  { name: 'session: without its first line', args: resume, prepare: (stage) => editMeta(stage, () => '{') },
  {
    name: 'session: broken in the middle',
    args: resume,
    prepare: breakInTheMiddle,
  },
  {
    name: 'session: held, and gone on with in a copy',
    args: (stage) => [...resume(stage), '--fork'],
    prepare: (stage) => hold(stage),
  },
  {
    name: 'session: broken, and gone on with in a copy',
    args: (stage) => [...resume(stage), '--fork'],
    prepare: breakInTheMiddle,
  },
  { name: 'session: none to copy', args: [...run, '--fork'] },
  {
    name: 'session: export of a broken one',
    args: ({ id }) => ['sessions', 'export', id],
    only: /^# /,
    prepare: breakInTheMiddle,
  },
  { name: 'session: export of an unknown one', args: ['sessions', 'export', 'nope'] },
  { name: 'session: export of two', args: ['sessions', 'export', 'a', 'b'] },
  {
    name: 'session: a list, and a file stands in the place of the folder',
    args: ['sessions', 'list'],
    prepare: async (stage) => void (await stage.write(join(stage.box.home, 'larik', 'data'), '')),
  },
  { name: 'session: show of an unknown one', args: ['sessions', 'show', 'nope'] },
  { name: 'session: a list of none', args: ['sessions', 'list'] },
  { name: 'undo: no session', args: ['undo'] },
  { name: 'undo: an unknown session', args: ['undo', 'nope'] },
  { name: 'undo: nothing to undo', args: ['undo'], prepare: async (stage) => void (await stage.session()) },
  { name: 'redo: nothing to redo', args: ['redo'], prepare: async (stage) => void (await stage.session()) },
  {
    name: 'undo: a file that was changed since',
    args: ['undo'],
    prepare: async (stage) => {
      await stage.session('create b.txt with the text "hi"');
      await writeFile(join(stage.box.project, 'b.txt'), 'changed\n');
    },
  },
  {
    name: 'undo: held by another process',
    args: ['undo'],
    prepare: async (stage) => {
      await hold(stage, 'create b.txt with the text "hi"');
    },
  },
  {
    name: 'undo: what a command changed',
    args: ['undo'],
    prepare: (stage) => turnOf(stage, { name: 'bash', input: { command: 'echo hi > c.txt' } }),
  },
  {
    name: 'undo: a file, and what a command changed beside it',
    args: ['undo'],
    prepare: (stage) =>
      turnOf(
        stage,
        { name: 'write', input: { path: 'b.txt', content: 'b' } },
        { name: 'bash', input: { command: 'echo hi > c.txt' } },
      ),
  },
];

/** Places that cannot be read or written. */
export const places: Scenario[] = [
  {
    name: 'data folder: a file stands there',
    args: run,
    prepare: async (stage) => void (await stage.write(join(stage.box.home, 'larik', 'data'), '')),
  },
  {
    name: 'data folder: can never be made',
    args: run,
    skip: onlyLinux,
    prepare: () => Promise.resolve({ env: { LARIK_HOME: '/proc/nowhere' } }),
  },
  {
    name: 'data folder: may not be written',
    args: run,
    skip: onlyLinux,
    prepare: async (stage) => {
      const folder = join(stage.box.home, 'larik', 'data');
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o500);
      stage.later(() => chmod(folder, 0o700));
      return stage.asPlainUser();
    },
  },
  {
    name: 'data folder: the disk is full',
    args: run,
    skip: onlyLinux || (!isRoot && 'only root may mount a small disk'),
    prepare: async (stage) => {
      const folder = join(stage.box.home, 'small');
      await mkdir(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k,nr_inodes=40', 'tmpfs', folder]);
      stage.later(() => void execFileSync('umount', [folder]));
      await stage.write(join(folder, 'filler'), new Uint8Array(8192));
      return { env: { LARIK_HOME: folder } };
    },
  },
];
