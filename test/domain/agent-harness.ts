import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { Agent } from '../../domain/agent.ts';
import { restore } from '../../domain/conversation/restore.ts';
import type { AgentOptions, AgentPorts } from '../../domain/scope.ts';
import { defineTool, z } from '../../plugins/sdk/index.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeHttp } from '../../plugins/testing/fakes/fake-http.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import { fakeProcesses } from '../../plugins/testing/fakes/fake-processes.ts';
import { fakeSandbox } from '../../plugins/testing/fakes/fake-sandbox.ts';
import { memoryCheckpoints } from '../../plugins/testing/memory-checkpoints.ts';
import { memoryFiles } from '../../plugins/testing/memory-files.ts';
import { scriptedProvider, type ResponseScript } from '../../plugins/testing/scripted-provider.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { PermissionAnswer } from '../../ports/frontend.ts';
import type { HookedCall, HookVerdict } from '../../ports/hooks.ts';
import type { Images } from '../../ports/images.ts';
import type { ModelInfo } from '../../ports/models.ts';
import type { SandboxFacts } from '../../ports/sandbox.ts';
import type { SessionEntry, SessionLog, StoredEntry } from '../../ports/session.ts';
import type { RunSettings, SavedRules } from '../../ports/settings.ts';
import type { Tool } from '../../ports/tool.ts';

/** Reads a file; `parallel`, and it announces itself through progress. */
const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  effect: 'read',
  subject: { field: 'path', kind: 'path' },
  input: z.object({ path: z.string().describe('the file') }),
  async run({ path }, context) {
    const { path: full } = await context.files.resolve(path, context.cwd);
    const { bytes, hash } = await context.files.read(full);
    if (hash !== null) await context.freshness.saw(full, hash);
    return { content: new TextDecoder().decode(bytes) };
  },
});

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  effect: 'write',
  subject: { field: 'path', kind: 'path' },
  input: z.object({ path: z.string().describe('the file'), content: z.string().describe('all of it') }),
  async run({ path, content }, context) {
    const { path: full } = await context.files.resolve(path, context.cwd);
    await context.files.write(full, new TextEncoder().encode(content));
    return { content: `wrote ${path}` };
  },
});

const bash = defineTool({
  name: 'bash',
  description: 'Runs a command.',
  effect: 'write',
  subject: { field: 'command', kind: 'text' },
  input: z.object({ command: z.string().describe('the line') }),
  async run({ command }, context) {
    const spec = { command: { shell: command }, cwd: context.cwd, keepBytes: 1000 };
    const result = await context.processes.run(spec, context.signal, (text) => context.progress(text));
    return { content: result.head, isError: result.exitCode !== 0 };
  },
});

const plan = defineTool({
  name: 'exit_plan_mode',
  description: 'Hands a plan over.',
  effect: 'write',
  input: z.object({ plan: z.string().describe('the plan') }),
  run: async (_input, { mode }) => ({ content: mode === 'plan' ? 'approved' : 'no plan to approve' }),
});

export const testTools: readonly Tool[] = [bash, plan, read, write];

export interface HarnessOptions {
  settings?: Partial<RunSettings>;
  allow?: string[];
  deny?: string[];
  options?: Partial<AgentOptions>;
  tools?: readonly Tool[];
  info?: Partial<ModelInfo>;
  files?: Record<string, string | Uint8Array>;
  images?: Images;
  /** What each permission request is answered; null leaves it open. */
  answer?: PermissionAnswer | null;
  entries?: SessionEntry[];
  output?: string;
  sandbox?: Partial<SandboxFacts>;
  /** What hooks say of a call. */
  hook?: (call: HookedCall) => HookVerdict;
  savedRules?: SavedRules;
  /** Each sleep ends at once; true unless given. */
  sleepsPass?: boolean;
  /** What the clock begins with, in milliseconds since 1970. */
  now?: number;
}

/** An agent over fakes: everything that it sends, says and stores is kept. */
export function agentHarness(script: ResponseScript[], given: HarnessOptions = {}) {
  const provider = scriptedProvider(script);
  const files = memoryFiles({ '/home/u/p/a.txt': 'alpha', ...given.files });
  const processes = fakeProcesses(() => ({ output: given.output ?? 'ran\n' }));
  const entries: SessionEntry[] = [...(given.entries ?? [])];
  const log: SessionLog = {
    id: 'session-1',
    path: '/sessions/session-1.jsonl',
    append: async (entry) => void entries.push(structuredClone(entry)),
    sync: async () => undefined,
    close: async () => undefined,
  };
  const auto = given.sleepsPass ?? true;
  const clock = fakeClock({ auto, ...(given.now === undefined ? {} : { now: given.now }) });
  const info: ModelInfo = {
    ref: 'scripted/model',
    contextWindow: 100_000,
    maxOutput: 8000,
    prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    images: true,
    wantsEffort: false,
    ...given.info,
  };
  const checkpoints = memoryCheckpoints();
  const { hook } = given;
  const resolved: string[] = [];
  const ports: AgentPorts = {
    models: {
      resolve: (ref) => {
        resolved.push(ref);
        return { provider, model: 'model', info };
      },
    },
    log,
    files,
    processes,
    http: fakeHttp(),
    ...(given.images === undefined ? {} : { images: given.images }),
    checkpoints,
    content: { instructions: async () => ({ files: [], problems: [] }) },
    parser: unbashParser,
    sandbox: fakeSandbox(given.sandbox),
    clock,
    ids: fakeIds(),
    tools: given.tools ?? testTools,
    ...(hook === undefined ? {} : { hooks: { before: async (call) => hook(call) } }),
    ...(given.savedRules === undefined ? {} : { savedRules: given.savedRules }),
  };
  const options: AgentOptions = {
    cwd: '/home/u/p',
    project: '/home/u/p',
    home: '/home/u',
    environment: {
      cwd: '/home/u/p',
      project: '/home/u/p',
      platform: 'linux x64',
      shell: 'bash',
      interactive: true,
    },
    hidden: ['/home/u/.config/larik'],
    own: ['/home/u/.cache/larik'],
    notices: [],
    ...given.options,
  };
  const rule = (text: string) => ({ text });
  const settings: RunSettings = {
    model: 'scripted/model',
    mode: 'default',
    rules: { allow: (given.allow ?? []).map(rule), ask: [], deny: (given.deny ?? []).map(rule) },
    guard: true,
    limits: { maxSteps: 200, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 120 },
    ...given.settings,
  };
  const stored = entries.map((entry, i): StoredEntry => ({ id: `${i}`, parent_id: null, time: '', entry }));
  const agent = new Agent(
    ports,
    options,
    settings,
    given.entries === undefined ? undefined : restore(stored),
  );

  /** Runs one prompt to its end, answering questions as told. */
  async function prompt(text: string, signal = new AbortController().signal): Promise<AgentEvent[]> {
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt(text, signal)) {
      events.push(structuredClone(event));
      if (event.type === 'permission_request' && given.answer !== null) {
        agent.answer(event.request_id, given.answer ?? { allow: true });
      }
    }
    return events;
  }

  return { agent, prompt, provider, files, processes, entries, clock, checkpoints, ports, resolved };
}

/** The events of one type. */
export function only<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
