// How long a very long session takes to open: 10,000 records, 20 MB, one of them 5 MB (spec: quality).
// Prints one line. `node test/bench/resume.mjs`, or `measureResume()` from another script.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const self = fileURLToPath(import.meta.url);
const records = 10_000;

/** Writes a session of so many prompts, calls, results and answers; returns its id. */
async function writeSession(parts, folder) {
  const { jsonlSessionStore, systemClock, systemIds, takeFileLock } = parts;
  const store = jsonlSessionStore({ folder, clock: systemClock, ids: systemIds, lock: takeFileLock });
  const meta = { larik: '0.0.0', cwd: '/p', project: '/p', model: 'bench/one', mode: 'default' };
  const log = await store.create(meta);
  await log.append({ type: 'context', reason: 'startup', system: 'x'.repeat(8000), tools: [] });
  await log.close();
  const usage = { input: 1000, output: 100, cacheRead: 50_000, cacheWrite: 500 };
  const output = 'a line of output, as long as lines are\n'.repeat(60);
  const text = (role, content) => ({ message: { role, blocks: [{ type: 'text', text: content }] } });
  const call = (n) => ({ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `/p/src/${n}.ts` } });
  const result = (n, content) => ({ type: 'tool_result', id: `t${n}`, name: 'read', content });
  let parent = JSON.parse(readFileSync(log.path, 'utf8').trim().split('\n').at(-1)).id;
  const lines = [];
  for (let n = 0; n < records; n += 1) {
    const id = n.toString(16).padStart(12, '0');
    const content = n === records / 2 + 2 ? 'y'.repeat(5 * 1024 * 1024) : output;
    const fields = [
      () => text('user', `prompt ${n}`),
      () => ({ message: { role: 'assistant', blocks: [call(n)] }, usage, cost_usd: 0.01 }),
      () => ({ message: { role: 'user', blocks: [result(n - 1, content)] }, seen: { [`/p/${n}`]: id } }),
      () => ({ ...text('assistant', output), usage, cost_usd: 0.01, stop_reason: 'end_turn' }),
    ][n % 4]();
    lines.push(
      JSON.stringify({ id, parent_id: parent, type: 'message', time: '2026-01-02T03:04:05.000Z', ...fields }),
    );
    parent = id;
  }
  appendFileSync(log.path, `${lines.join('\n')}\n`);
  return log.id;
}

async function measureOnce(bundle, folder, id) {
  const { jsonlSessionStore, systemClock, systemIds, takeFileLock, restore } = await import(
    pathToFileURL(bundle).href
  );
  const store = jsonlSessionStore({ folder, clock: systemClock, ids: systemIds, lock: takeFileLock });
  const begun = performance.now();
  const { log, entries } = await store.open(id);
  const read = performance.now();
  const { messages } = restore(entries);
  const done = performance.now();
  await log.close();
  const rss = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    JSON.stringify({ messages: messages.length, readMs: read - begun, restoreMs: done - read, rssMb: rss }),
  );
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Median milliseconds for reading and restoring, and the process's largest RSS in MB. */
export async function measureResume(rounds = 5) {
  const { build } = await import('vite');
  const folder = mkdtempSync(join(tmpdir(), 'larik-resume-'));
  try {
    const ssr = fileURLToPath(new URL('resume-parts.ts', import.meta.url));
    const output = { entryFileNames: 'parts.mjs' };
    const rolldownOptions = { output };
    await build({
      configFile: false,
      logLevel: 'silent',
      build: { ssr, outDir: folder, emptyOutDir: false, rolldownOptions },
    });
    const bundle = join(folder, 'parts.mjs');
    const sessions = join(folder, 'sessions');
    const id = await writeSession(await import(pathToFileURL(bundle).href), sessions);
    const runs = Array.from({ length: rounds }, () => {
      const { stdout } = spawnSync(process.execPath, [self, '--once', bundle, sessions, id], {
        encoding: 'utf8',
      });
      return JSON.parse(stdout);
    });
    const of = (name) => median(runs.map((run) => run[name]));
    return { messages: of('messages'), readMs: of('readMs'), restoreMs: of('restoreMs'), rssMb: of('rssMb') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === self) {
  const [, , once, ...given] = process.argv;
  if (once === '--once') await measureOnce(...given);
  else {
    const { messages, readMs, restoreMs, rssMb } = await measureResume();
    console.log(
      `resume of ${messages} messages: read ${readMs.toFixed(0)} ms, restore ${restoreMs.toFixed(0)} ms, RSS ${rssMb.toFixed(0)} MB`,
    );
  }
}
