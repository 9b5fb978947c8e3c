import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCheckpointStore } from '../../adapters/checkpoints/file-checkpoint-store.ts';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { Checkpoints } from '../../domain/files/checkpoints.ts';
import { sandbox, type Running, type Sandbox } from '../e2e/larik.ts';
import { modelServer, type ModelServer } from '../e2e/model-server.ts';
import { processesWith, readEntries, transcriptProblems } from './checks.ts';
import type { Moment } from './moments.ts';
import { replies, summary, versions } from './scenario.ts';

/** Milliseconds in which everything a killed run started must have ended. */
const orphanWait = 5000;

export interface RoundReport {
  /** What does not hold; empty if all does. */
  problems: string[];
  /** Milliseconds that the run lasted. */
  lasted: number;
  /** It was killed before it ended by itself. */
  killed: boolean;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the moment has come, or the run has ended. */
async function until(moment: Moment, run: Running, box: Sandbox, usualMs: number): Promise<void> {
  switch (moment.at) {
    case 'time':
      return Promise.race([later(moment.share * usualMs), run.ended.then(() => undefined)]);
    case 'event':
      await Promise.race([run.ended, eventSeen(run, moment.type, moment.skip)]);
      return moment.delayMs === 0 ? undefined : later(moment.delayMs);
    case 'temporary file':
      return Promise.race([run.ended.then(() => undefined), temporarySeen(box.project, moment.skip)]);
    default:
      return moment satisfies never;
  }
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

/** Texts of the answers that larik announced as complete. */
function announced(out: string): string[] {
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; message?: { blocks: unknown } })
    .filter(({ type }) => type === 'assistant_message')
    .map(({ message }) => JSON.stringify(message?.blocks));
}

async function sessionFile(box: Sandbox): Promise<string | null> {
  const root = join(box.home, 'larik/data/sessions');
  const names = await readdir(root, { recursive: true }).catch((): string[] => []);
  const name = names.find((one) => one.endsWith('.jsonl'));
  return name === undefined ? null : join(root, name);
}

async function contentOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

async function projectProblems(
  box: Sandbox,
  allowed: (file: string) => readonly (string | null)[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const file of Object.keys(versions)) {
    const content = await contentOf(join(box.project, file));
    if (allowed(file).includes(content)) continue;
    problems.push(
      `${file} holds ${content === null ? 'nothing' : `${content.length} characters: ${content.slice(0, 20)}`}`,
    );
  }
  return problems;
}

async function orphans(marker: string): Promise<number[]> {
  const end = performance.now() + orphanWait;
  let left = processesWith(marker);
  while (left.length > 0 && performance.now() < end) {
    await later(20);
    left = processesWith(marker);
  }
  return left;
}

/** Killed before a compaction was done, a session begins with it. */
function asksForSummary(body = '{"messages":[]}'): boolean {
  const { messages } = JSON.parse(body) as { messages: { content: string | unknown[] }[] };
  // What was said before it may hold an earlier summary.
  const content = messages.at(-1)?.content ?? '';
  return JSON.stringify(typeof content === 'string' ? content : content.at(-1)).includes('<summary>');
}

/** Starts the scenario, kills it at the moment, resumes, undoes, and says what did not hold. */
export async function crashRound(moment: Moment | null, usualMs: number): Promise<RoundReport> {
  const originals = Object.entries(versions).flatMap(([file, [first]]) =>
    typeof first === 'string' ? [[file, first]] : [],
  );
  const box = await sandbox(Object.fromEntries(originals) as Record<string, string>);
  const resumeReply = { text: 'resumed' };
  let resuming = false;
  const server: ModelServer = await modelServer((number) => {
    if (!resuming) return replies[number] ?? resumeReply;
    return asksForSummary(server.bodies[number]) ? summary : resumeReply;
  });
  try {
    await mkdir(join(box.project, 'src'));
    const marker = `CRASH_ROUND=${randomUUID()}`;
    const env = {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'key',
      CRASH_ROUND: marker.slice('CRASH_ROUND='.length),
    };
    const begun = performance.now();
    const run = box.start(['-p', 'work', '--mode', 'yolo', '--output', 'json'], { env });
    if (moment !== null) await until(moment, run, box, usualMs);
    if (moment !== null) run.child.kill('SIGKILL');
    const { code, out } = await run.ended;
    const lasted = performance.now() - begun;
    const problems = await orphans(marker).then((left) => left.map((pid) => `process ${pid} still runs`));
    problems.push(...(await projectProblems(box, (file) => versions[file] ?? [])));
    resuming = true;
    problems.push(...(await resumeProblems(box, server, env, out)));
    problems.push(...(await orphans(marker)).map((pid) => `process ${pid} still runs after the resume`));
    return { problems, lasted, killed: code === null };
  } finally {
    await server.close();
    await box.dispose();
  }
}

async function resumeProblems(
  box: Sandbox,
  server: ModelServer,
  env: Record<string, string>,
  out: string,
): Promise<string[]> {
  const file = await sessionFile(box);
  const before = file === null ? '' : ((await contentOf(file)) ?? '');
  const told = announced(out);
  const { entries, problems } = readEntries(before);
  const stored = entries.map(({ message }) =>
    JSON.stringify((message as { blocks?: unknown } | undefined)?.blocks),
  );
  for (const one of told)
    if (!stored.includes(one)) problems.push(`an announced answer is lost: ${one.slice(0, 80)}`);
  // Killed before its first line was written, it is no session yet.
  const args = entries.length === 0 ? [] : ['-c'];
  const resumed = await box.run(['-p', 'go on', '--mode', 'yolo', ...args], { env });
  if (resumed.code !== 0 || resumed.out !== 'resumed\n')
    problems.push(`the resume ended with ${resumed.code}: ${resumed.out}${resumed.err}`);
  problems.push(...transcriptProblems(server.bodies.at(-1) ?? '{"messages":[]}'));
  if (file === null || entries.length === 0) return problems;
  const after = (await contentOf(file)) ?? '';
  if (!after.startsWith(before)) problems.push('the session file was rewritten');
  problems.push(...(await leftBehind(box)), ...(await undoProblems(box, entries)));
  return problems;
}

async function leftBehind(box: Sandbox): Promise<string[]> {
  const folders = [
    box.project,
    join(box.home, 'larik/data/unfinished'),
    join(box.home, 'larik/data/sessions'),
  ];
  const names = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true }).catch((): string[] => [])),
  );
  const [project = [], notes = [], sessions = []] = names;
  const left = [
    ...project.filter((name) => name.includes('.larik')),
    ...notes,
    ...sessions.filter((name) => name.includes('.lock')),
  ];
  return left.map((name) => `left behind: ${name}`);
}

async function undoProblems(box: Sandbox, entries: Record<string, unknown>[]): Promise<string[]> {
  const [{ session } = {}] = entries;
  const folder = join(box.home, 'larik/data/checkpoints', String(session));
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  const place = { cwd: box.project, project: box.project, home: box.home };
  const checkpoints = new Checkpoints(fileCheckpointStore(folder), new LocalFiles(), place);
  try {
    if (isThere) await checkpoints.carryOut('undo', true);
  } catch (error) {
    return [`undo failed: ${String(error)}`];
  }
  return (await projectProblems(box, (file) => [versions[file]?.[0] ?? null])).map(
    (text) => `after undo ${text}`,
  );
}
