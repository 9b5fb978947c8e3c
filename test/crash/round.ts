import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { cp, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCheckpointStore } from '../../adapters/checkpoints/file-checkpoint-store.ts';
import { gitWorkTrees } from '../../adapters/git/git-work-trees.ts';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { Checkpoints } from '../../domain/files/checkpoints.ts';
import { listing } from '../adapters/git/work-tree.ts';
import { sandbox, type Running, type Sandbox } from '../e2e/larik.ts';
import { modelServer, type ModelServer } from '../e2e/model-server.ts';
import { processesWith, readEntries, transcriptProblems } from './checks.ts';
import type { Moment } from './moments.ts';
import { asksForSummary, phaseOf, type Phase } from './phases.ts';
import type { Shared } from './repository.ts';
import { replies, summary, versions, versionsByCommands } from './scenario.ts';

/** Milliseconds in which everything a killed run started must have ended. */
const orphanWait = 5000;

export type ProblemKind =
  'process left' | 'file' | 'repository' | 'lost answer' | 'session file' | 'resume' | 'transcript' | 'undo';

/** Something that does not hold. */
export interface Problem {
  kind: ProblemKind;
  text: string;
}

export interface RoundReport {
  problems: Problem[];
  /** Milliseconds that the run lasted. */
  lasted: number;
  /** What the run was at; null: it ended by itself. */
  phase: Phase | null;
  /** There was a session, and it was gone on with. */
  resumed: boolean;
}

export interface RoundOptions {
  shared: Shared;
  /** Null: the run is left alone. */
  moment: Moment | null;
  /** Milliseconds of a run that is left alone. */
  usualMs: number;
  /** The undo goes through the command line, and not through its parts. */
  undoByCommand: boolean;
}

const as =
  (kind: ProblemKind) =>
  (text: string): Problem => ({ kind, text });

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Waiting = Pick<RoundOptions, 'usualMs'> & { run: Running; box: Sandbox; server: ModelServer };

/** Resolves when the moment has come, or the run has ended. */
async function until(moment: Moment, { run, box, server, usualMs }: Waiting): Promise<void> {
  const ended = run.ended.then(() => undefined);
  switch (moment.at) {
    case 'time':
      return Promise.race([later(moment.share * usualMs), ended]);
    case 'event':
      await Promise.race([ended, eventSeen(run, moment.type, moment.skip)]);
      break;
    case 'request':
      await Promise.race([ended, requestSeen(server, moment.skip, run)]);
      break;
    case 'temporary file':
      return Promise.race([ended, temporarySeen(box.project, moment.skip)]);
    default:
      return moment satisfies never;
  }
  if (moment.delayMs > 0) await later(moment.delayMs);
}

function eventSeen(run: Running, type: string, skip: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    run.child.stdout?.on('data', (text: string) => {
      count += text.split(`"type":"${type}"`).length - 1;
      if (count > skip) resolve();
    });
  });
}

async function requestSeen(server: ModelServer, skip: number, run: Running): Promise<void> {
  while (server.bodies.length <= skip && run.child.exitCode === null) await later(2);
}

function temporarySeen(folder: string, skip: number): Promise<void> {
  return new Promise((resolve) => {
    const seen = new Set<string>();
    const look = (_: string, name: string | null): void => {
      if (name?.startsWith('.larik-') === true) seen.add(name);
      if (seen.size <= skip) return;
      for (const one of watchers) one.close();
      resolve();
    };
    const watchers = [folder, join(folder, 'src')].map((path) => watch(path, look));
  });
}

interface PrintedEvent {
  type: string;
  message?: { blocks: unknown };
}

/** What was printed in whole lines. */
const eventsIn = (out: string): PrintedEvent[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PrintedEvent);

async function sessionFile(box: Sandbox): Promise<string | null> {
  const root = join(box.home, 'larik/data/sessions');
  const names = await readdir(root, { recursive: true }).catch((): string[] => []);
  const name = names.find((one) => one.endsWith('.jsonl'));
  return name === undefined ? null : join(root, name);
}

async function contentOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** The files that hold something else than one of their versions; of a run that was left alone the last. */
async function fileProblems({ project }: Sandbox, whole: boolean): Promise<string[]> {
  const problems: string[] = [];
  for (const [file, known] of Object.entries({ ...versions, ...versionsByCommands })) {
    const content = await contentOf(join(project, file));
    if ((whole ? known.slice(-1) : known).includes(content)) continue;
    problems.push(
      `${file} holds ${content === null ? 'nothing' : `${content.length} characters: ${content.slice(0, 20)}`}`,
    );
  }
  return problems;
}

async function orphans(marker: string): Promise<string[]> {
  const end = performance.now() + orphanWait;
  let left = processesWith(marker);
  while (left.length > 0 && performance.now() < end) {
    await later(80);
    left = processesWith(marker);
  }
  return left.map((pid) => `process ${pid} still runs`);
}

/** What of these differs, by name. */
function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

/** Starts the scenario, kills it at the moment, resumes, undoes, and says what did not hold. */
export async function crashRound(options: RoundOptions): Promise<RoundReport> {
  const { shared, moment, usualMs } = options;
  const box = await sandbox({}, false);
  const resumeReply = { text: 'resumed' };
  let resuming = false;
  const server: ModelServer = await modelServer((number) => {
    if (!resuming) return replies[number] ?? resumeReply;
    return asksForSummary(server.bodies[number]) ? summary : resumeReply;
  });
  try {
    await cp(shared.project, box.project, { recursive: true, preserveTimestamps: true });
    await symlink(shared.cache, join(box.home, 'larik/cache'));
    const repository = await listing(join(box.project, '.git'), true);
    const original = await listing(box.project);
    const marker = `CRASH_ROUND=${randomUUID()}`;
    const env = {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'key',
      CRASH_ROUND: marker.slice('CRASH_ROUND='.length),
    };
    const begun = performance.now();
    const run = box.start(['-p', 'work', '--mode', 'yolo', '--output', 'json'], { env });
    if (moment !== null) await until(moment, { run, box, server, usualMs });
    if (moment !== null) run.child.kill('SIGKILL');
    const bodies = [...server.bodies];
    const { code, out } = await run.ended;
    const lasted = performance.now() - begun;
    const events = eventsIn(out);
    const problems = [
      ...(await orphans(marker)).map(as('process left')),
      ...(await fileProblems(box, code === 0)).map(as('file')),
    ];
    resuming = true;
    const { problems: afterwards, session } = await resume(box, server, env, events);
    problems.push(...afterwards);
    if (session !== null)
      problems.push(...(await undoProblems(box, session, original, options.undoByCommand)).map(as('undo')));
    problems.push(
      ...differences(repository, await listing(join(box.project, '.git'), true)).map((name) =>
        as('repository')(`.git/${name} was changed`),
      ),
      ...(await orphans(marker)).map(as('process left')),
    );
    return {
      problems,
      lasted,
      phase: code === null ? phaseOf(events, bodies) : null,
      resumed: session !== null,
    };
  } finally {
    await server.close();
    await box.dispose();
  }
}

/** Goes on with the session; `session` is its id, or null if the run was killed before there was one. */
async function resume(
  box: Sandbox,
  server: ModelServer,
  env: Record<string, string>,
  events: readonly PrintedEvent[],
): Promise<{ problems: Problem[]; session: string | null }> {
  const file = await sessionFile(box);
  const before = file === null ? '' : ((await contentOf(file)) ?? '');
  const read = readEntries(before);
  const problems = read.problems.map(as('session file'));
  const stored = read.entries.map(({ message }) =>
    JSON.stringify((message as { blocks?: unknown } | undefined)?.blocks),
  );
  for (const { type, message } of events) {
    if (type !== 'assistant_message' || stored.includes(JSON.stringify(message?.blocks))) continue;
    problems.push(as('lost answer')(JSON.stringify(message?.blocks).slice(0, 80)));
  }
  // Killed before its first line was written, it is no session yet.
  const isSession = file !== null && read.entries.length > 0;
  const ended = await box.run(['-p', 'go on', '--mode', 'yolo', ...(isSession ? ['-c'] : [])], { env });
  if (ended.code !== 0 || ended.out !== 'resumed\n')
    problems.push(as('resume')(`it ended with ${ended.code}: ${ended.out}${ended.err}`));
  problems.push(...transcriptProblems(server.bodies.at(-1) ?? '{"messages":[]}').map(as('transcript')));
  if (!isSession) return { problems, session: null };
  const after = (await contentOf(file)) ?? '';
  if (!after.startsWith(before)) problems.push(as('session file')('it was rewritten'));
  problems.push(...(await leftBehind(box)).map(as('file')));
  return { problems, session: String(read.entries[0]?.['session']) };
}

/** A note whose writer was killed within it names no file; it goes when it is old. */
async function isCutOff(note: string): Promise<boolean> {
  try {
    JSON.parse(await readFile(note, 'utf8'));
    return false;
  } catch {
    return true;
  }
}

async function leftBehind(box: Sandbox): Promise<string[]> {
  const notes = join(box.home, 'larik/data/unfinished');
  const folders = [box.project, join(box.home, 'larik/data/sessions'), notes];
  const names = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true }).catch((): string[] => [])),
  );
  const [project = [], sessions = [], noted = []] = names;
  const cutOff = await Promise.all(noted.map((name) => isCutOff(join(notes, name))));
  const left = [
    ...project.filter((name) => name.includes('.larik')),
    ...sessions.filter((name) => name.includes('.lock')),
    ...noted.filter((_, at) => cutOff[at] === false),
  ];
  return left.map((name) => `left behind: ${name}`);
}

/** Takes the killed turn back: all is as it was before it. */
async function undoProblems(
  box: Sandbox,
  session: string,
  original: Record<string, string>,
  byCommand: boolean,
): Promise<string[]> {
  const folder = join(box.home, 'larik/data/checkpoints', session);
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  const store = fileCheckpointStore(folder);
  // A machine that is too busy to keep the tree in time is told of, and then undo does not cover commands.
  const isCovered = !isThere || (await store.turns()).every(({ commands }) => commands.length === 0);
  if (byCommand) {
    const { code, err } = await box.run(['undo', '--force']);
    if (code !== 0) return [`it ended with ${code}: ${err}`];
  } else if (isThere) {
    const { project, home } = box;
    const trees = gitWorkTrees({ folder: join(folder, 'trees'), project, own: [join(home, 'larik')] });
    try {
      const place = { cwd: project, project, home };
      await new Checkpoints(store, new LocalFiles(), place, trees).carryOut('undo', true);
    } catch (error) {
      return [`it failed: ${String(error)}`];
    } finally {
      await trees.dispose();
    }
  }
  const changed = differences(original, await listing(box.project));
  const names = changed.filter((name) => isCovered || !mayChange(name));
  return names.map((name) => `${name} is not as it was`);
}

/** What a command of the scenario changes, or a folder above it. */
const mayChange = (name: string): boolean =>
  name === 'made/' || name === 'made/deep/' || name in versionsByCommands;
