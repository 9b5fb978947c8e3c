import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fileCheckpointStore } from '../../adapters/checkpoints/file-checkpoint-store.ts';
import { noSandbox } from '../../adapters/sandbox/none.ts';
import { jsonlSessionStore } from '../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../adapters/system/file-lock.ts';
import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { systemIds } from '../../adapters/system/system-ids.ts';
import { builtinTools } from '../../adapters/tools/builtin.ts';
import { Agent } from '../../domain/agent.ts';
import { contractMeta } from '../../plugins/testing/contracts/session-store-contract.ts';
import { fakeHttp } from '../../plugins/testing/fakes/fake-http.ts';
import type { Block } from '../../ports/message.ts';
import type { Provider } from '../../ports/provider.ts';
import { megabytes } from '../memory.ts';

const root = await mkdtemp(join(tmpdir(), 'larik-long-run-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const output = 1_000_000;
/** Prints so many characters. */
const command = `printf '%${output}s' x`;

/** Asks for one command in each turn, then ends it; keeps nothing of the requests. */
const provider: Provider = {
  name: 'endless',
  async *stream({ messages }) {
    const answered = messages.at(-1)?.blocks.some((block) => block.type === 'tool_result') === true;
    const n = messages.length;
    const calls: Block[] = [{ type: 'tool_use', id: `a${n}`, name: 'bash', input: { command } }];
    yield {
      kind: 'done',
      message: { role: 'assistant', blocks: answered ? [{ type: 'text', text: 'done' }] : calls },
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      stopReason: answered ? 'end_turn' : 'tool_use',
    };
  },
};

async function openAgent() {
  const store = jsonlSessionStore({
    folder: join(root, 'sessions'),
    clock: systemClock,
    ids: systemIds,
    lock: takeFileLock,
  });
  const log = await store.create(contractMeta);
  const processes = new LocalProcesses({ outputFolder: join(root, 'output'), keepOutput: true });
  const info = {
    ref: 'endless/model',
    contextWindow: 1_000_000_000,
    maxOutput: 8000,
    prices: null,
    images: false,
    wantsEffort: false,
  };
  const agent = new Agent(
    {
      models: { resolve: () => ({ provider, model: 'model', info }) },
      log,
      files: new LocalFiles(),
      processes,
      http: fakeHttp(),
      checkpoints: fileCheckpointStore(join(root, 'checkpoints')),
      content: { instructions: async () => ({ files: [], problems: [] }) },
      parser: unbashParser,
      sandbox: noSandbox(),
      clock: systemClock,
      ids: systemIds,
      tools: builtinTools,
    },
    {
      cwd: root,
      project: root,
      home: join(root, 'home'),
      environment: { cwd: root, project: root, platform: 'linux x64', shell: 'bash', interactive: false },
      hidden: [],
      own: [],
      notices: [],
    },
    {
      model: info.ref,
      mode: 'yolo',
      rules: { allow: [], ask: [], deny: [] },
      guard: true,
      limits: { maxSteps: 200, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 120 },
    },
  );
  const dispose = async (): Promise<void> => {
    await processes.dispose();
    await log.close();
  };
  return { agent, dispose };
}

it.skipIf(process.platform === 'win32')(
  'RES-02 500 turns with 1 MB of output each leave less than 50 MB in memory',
  async () => {
    const { agent, dispose } = await openAgent();
    let level = 0;
    let outputs = 0;
    for (let turn = 1; turn <= 500; turn += 1) {
      for await (const event of agent.prompt(`turn ${turn}`, new AbortController().signal)) {
        if (event.type === 'tool_end' && !event.is_error) outputs += 1;
      }
      if (turn === 50) level = megabytes();
    }
    expect(outputs).toBe(500);
    expect(megabytes() - level).toBeLessThan(50);
    await dispose();
  },
  600_000,
);
