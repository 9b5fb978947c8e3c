import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileCheckpointStore } from '../../adapters/checkpoints/file-checkpoint-store.ts';
import { jsonlSessionStore } from '../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { systemIds } from '../../adapters/system/system-ids.ts';
import { builtinTools } from '../../adapters/tools/builtin.ts';
import { Agent } from '../../domain/agent.ts';
import { fakeHttp } from '../../plugins/testing/fakes/fake-http.ts';
import { fakeSandbox } from '../../plugins/testing/fakes/fake-sandbox.ts';
import type { Block } from '../../ports/message.ts';
import type { ModelInfo } from '../../ports/models.ts';
import type { ModelRequest, Provider } from '../../ports/provider.ts';
import type { SessionLog } from '../../ports/session.ts';
import type { RunSettings } from '../../ports/settings.ts';

const asked = process.env['LARIK_SOAK_STEPS'];
const steps = Number(asked ?? 1000);
const stepsOfTurn = 50;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const lines = (seed: number): string =>
  Array.from({ length: 40 }, (_, at) => `line ${at} of ${seed}: ${'word '.repeat(8)}\n`).join('');

/** What the model does in step `n`: reads, edits, writes and, now and then, runs something. */
function callOf(n: number): { name: string; input: Record<string, unknown> } {
  const path = `file-${Math.floor(n / 4) % 20}.txt`;
  if (n % 25 === 24) return { name: 'bash', input: { command: `echo step ${n}; sleep 0 &` } };
  if (n % 25 === 12) return { name: 'grep', input: { pattern: 'seven' } };
  switch (n % 4) {
    case 0:
      return { name: 'write', input: { path, content: lines(n) } };
    case 1:
      return { name: 'read', input: { path } };
    case 2:
      return { name: 'edit', input: { path, old_string: 'line 7 of', new_string: 'line seven of' } };
    default:
      return { name: 'read', input: { path, offset: 7, limit: 1 } };
  }
}

/** A model that works without end; asked for a summary, it gives one. It keeps nothing. */
function workingModel(): Provider & { done: number; summaries: number } {
  return {
    name: 'soak',
    done: 0,
    summaries: 0,
    async *stream(request: ModelRequest) {
      const last = request.messages.at(-1)?.blocks.at(-1);
      const asksForSummary = last?.type === 'text' && last.text.includes('<summary>');
      let blocks: Block[];
      if (asksForSummary) {
        this.summaries += 1;
        blocks = [{ type: 'text', text: '<summary>Go on with the files.</summary>' }];
      } else if (this.done % stepsOfTurn === stepsOfTurn - 1) {
        this.done += 1;
        blocks = [{ type: 'text', text: 'That is all.' }];
      } else {
        const call = callOf(this.done);
        this.done += 1;
        blocks = [{ type: 'tool_use', id: `call_${this.done}`, ...call }];
      }
      const calls = blocks.some(({ type }) => type === 'tool_use');
      yield {
        kind: 'done',
        message: { role: 'assistant', model: request.model, blocks },
        usage: null,
        stopReason: calls ? 'tool_use' : 'end_turn',
      };
    },
  };
}

const info: ModelInfo = {
  ref: 'soak/model',
  contextWindow: 40_000,
  maxOutput: 4000,
  prices: null,
  images: false,
  wantsEffort: false,
};

const settings: RunSettings = {
  model: info.ref,
  mode: 'yolo',
  rules: { allow: [], ask: [], deny: [] },
  guard: true,
  limits: { maxSteps: 200, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 10 },
};

interface Measure {
  heap: number;
  descriptors: number;
  resources: number;
}

const shown = ({ heap, descriptors, resources }: Measure): string =>
  `${(heap / 2 ** 20).toFixed(1)} MB, ${descriptors} files open, ${resources} resources`;

/** What is held, once all that is not needed is gone. */
async function measured(): Promise<Measure> {
  for (let time = 0; time < 3; time += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const descriptors = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors,
    resources: process.getActiveResourcesInfo().length,
  };
}

describe('a session that goes on and on', () => {
  let root = '';
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'larik-soak-')));
    process.on('warning', warned);
  });
  afterEach(async () => {
    process.removeListener('warning', warned);
    await rm(root, { recursive: true, force: true });
  });

  async function opened(model: Provider) {
    const project = join(root, 'project');
    await mkdir(project);
    await writeFile(join(project, 'a.txt'), 'a');
    const store = jsonlSessionStore({
      folder: join(root, 'sessions'),
      clock: systemClock,
      ids: systemIds,
      lock: takeFileLock,
    });
    const log: SessionLog = await store.create({
      larik: '0',
      cwd: project,
      project,
      model: info.ref,
      mode: 'yolo',
    });
    const processes = new LocalProcesses({ outputFolder: join(root, 'output') });
    const place = { cwd: project, project, home: root };
    const agent = new Agent(
      {
        models: { resolve: () => ({ provider: model, model: 'model', info }) },
        log,
        files: new LocalFiles(join(root, 'unfinished')),
        processes,
        http: fakeHttp(),
        checkpoints: fileCheckpointStore(join(root, 'checkpoints')),
        content: { instructions: () => Promise.resolve({ files: [], problems: [] }) },
        parser: unbashParser,
        sandbox: fakeSandbox(),
        clock: systemClock,
        ids: systemIds,
        tools: builtinTools,
      },
      {
        ...place,
        environment: { cwd: project, project, platform: 'test', shell: 'bash', interactive: false },
        hidden: [],
        own: [],
        notices: [],
      },
      settings,
    );
    return { agent, log, processes };
  }

  it(
    `holds no more after ${steps} steps than after some, and writes no more for each`,
    { timeout: 60_000 + steps * 120 },
    async () => {
      const model = workingModel();
      const { agent, log, processes } = await opened(model);
      const kinds = new Set<string>();
      const ends = new Set<string>();
      const until = async (count: number): Promise<Measure & { bytes: number }> => {
        while (model.done < count) {
          for await (const event of agent.prompt('go on', new AbortController().signal)) {
            kinds.add(event.type);
            if (event.type === 'done') ends.add(event.stop_reason);
          }
        }
        return { ...(await measured()), bytes: (await stat(log.path)).size };
      };
      const early = await until(steps / 4);
      const late = await until(steps);
      if (asked !== undefined) process.stdout.write(`soak: ${shown(early)}, then ${shown(late)}\n`);
      await processes.dispose();
      await log.close();

      expect([...ends]).toEqual(['end_turn']);
      expect(kinds.has('error')).toBe(false);
      expect(model.summaries).toBeGreaterThan(1);
      expect(warnings).toEqual([]);
      expect((late.heap - early.heap) / 2 ** 20).toBeLessThan(15);
      expect(late.descriptors - early.descriptors).toBeLessThanOrEqual(2);
      expect(late.resources - early.resources).toBeLessThanOrEqual(2);
      const perStep = (late.bytes - early.bytes) / (steps - steps / 4);
      expect(perStep).toBeLessThan(6000);
      expect(readdirSync(join(root, 'unfinished'))).toEqual([]);
    },
  );
});
