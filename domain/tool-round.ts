import { errorText } from '../ports/errors.ts';
import type { AgentEvent } from '../ports/event.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from '../ports/message.ts';
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts';
import { authorize } from './authorize/authorize.ts';
import { parseInput, type ParsedCall } from './authorize/parsed-call.ts';
import { Channel } from './channel.ts';
import { append, callsOf } from './conversation/conversation.ts';
import { fitResult } from './images/fit-result.ts';
import { plainName } from './prompt/foreign-tools.ts';
import {
  argumentsBroken,
  interrupted,
  outputCut,
  stoppedByHook,
  toolBroke,
  unknownTool,
} from './prompt/refusals.ts';
import type { Run } from './scope.ts';
import { truncate } from './text/cut.ts';

/** Milliseconds that an aborted tool gets to end before the turn goes on without it. */
const abortGrace = 3000;

/** A call on its way: `result` is set as soon as it is known that it will not run. */
interface Pending {
  block: ToolUseBlock;
  call?: ParsedCall;
  result?: ToolResult;
}

/** The tool that a model means: by its very name, or else by its plain one. Null if there is none. */
function findTool(tools: readonly Tool[], name: string): Tool | null {
  const exact = tools.find((tool) => tool.spec.name === name);
  return exact ?? tools.find((tool) => tool.spec.name.toLowerCase() === plainName(name)) ?? null;
}

const failed = (content: string): ToolResult => ({ content, isError: true });

/** Looks the tool up and reads its input; what cannot run becomes an error result at once. */
function parseCall(run: Run, block: ToolUseBlock, brokenBefore: number): Pending {
  const tool = findTool(run.ports.tools, block.name);
  if (tool === null) {
    const names = run.ports.tools.map(({ spec }) => spec.name);
    return { block, result: failed(unknownTool(block.name, names)) };
  }
  if (block.input === null) return { block, result: failed(argumentsBroken(tool.spec.name, brokenBefore)) };
  const parsed = parseInput(tool, block.input);
  return parsed.ok
    ? { block, call: { block, tool, input: parsed.input, mode: run.state.settings.mode } }
    : { block, result: failed(parsed.error) };
}

function contextOf(run: Run, call: ParsedCall, channel: Channel): ToolContext {
  const { limits } = run.state.settings;
  return {
    cwd: run.options.cwd,
    project: run.options.project,
    callId: call.block.id,
    mode: call.mode,
    outputLimit: limits.toolOutputBytes,
    commandTimeout: limits.bashTimeout,
    signal: run.signal,
    files: run.files,
    processes: run.processes,
    http: run.ports.http,
    freshness: run.freshness,
    progress: (text) => channel.push({ type: 'tool_progress', tool_id: call.block.id, text }),
  };
}

/** What a tool gives back, with pictures that can be sent. */
async function perform(run: Run, call: ParsedCall, channel: Channel): Promise<ToolResult> {
  const result = await call.tool.run(call.input, contextOf(run, call, channel));
  return fitResult(result, run.ports.images, run.signal);
}

/**
 * Runs a tool to its end, and never throws, since others run beside it. A tool that does not end when
 * the run is aborted is left behind.
 */
async function execute(run: Run, call: ParsedCall, channel: Channel): Promise<ToolResult> {
  const { signal, ports } = run;
  const overdue = new AbortController();
  const abandoned = new Promise<null>((resolve) => {
    const giveUp = (): void => {
      ports.clock.sleep(abortGrace, overdue.signal).then(
        () => resolve(null),
        () => undefined, // the tool ended in time
      );
    };
    signal.addEventListener('abort', giveUp, { once: true });
    overdue.signal.addEventListener('abort', () => signal.removeEventListener('abort', giveUp), {
      once: true,
    });
  });
  try {
    const result = await Promise.race([perform(run, call, channel), abandoned]);
    if (result === null) return failed(interrupted);
    if (typeof result?.content !== 'string') throw new Error('it gave no text back');
    if (!signal.aborted) return result;
    return { ...result, isError: true, content: `${result.content}\n\n${interrupted}`.trimStart() };
  } catch (error) {
    if (signal.aborted) return failed(interrupted);
    // The tool's own code broke: the model hears of it, and the turn goes on.
    return failed(toolBroke(call.tool.spec.name, errorText(error)));
  } finally {
    overdue.abort();
  }
}

function endEvent(pending: Pending, result: ToolResult, durationMs: number): AgentEvent {
  return {
    type: 'tool_end',
    tool_id: pending.block.id,
    tool_name: pending.call?.tool.spec.name ?? pending.block.name,
    output: result.content,
    ...(result.display === undefined ? {} : { display: result.display }),
    is_error: result.isError === true,
    duration_ms: Math.round(durationMs),
  };
}

async function runOne(run: Run, pending: Pending, channel: Channel): Promise<void> {
  const { call } = pending;
  // What was interrupted before it began gets the result of a call that never ran.
  if (call === undefined || run.signal.aborted) return;
  const { clock } = run.ports;
  channel.push({
    type: 'tool_start',
    tool_id: call.block.id,
    tool_name: call.tool.spec.name,
    input: call.input,
  });
  const begun = clock.monotonic();
  const result = await execute(run, call, channel);
  const content = truncate(result.content, run.state.settings.limits.toolOutputBytes, outputCut);
  pending.result = { ...result, content };
  channel.push(endEvent(pending, pending.result, clock.monotonic() - begun));
}

function resultBlock(pending: Pending): ToolResultBlock {
  const result = pending.result ?? failed(interrupted);
  return {
    type: 'tool_result',
    id: pending.block.id,
    name: pending.block.name,
    content: result.content,
    ...(result.isError === true ? { isError: true } : {}),
    ...(result.images === undefined || result.images.length === 0 ? {} : { images: result.images }),
  };
}

/** How many calls run side by side at most. */
const batchSize = 8;

/**
 * Groups neighbours that may run together, at most eight; everything else is a batch of its own
 * (spec: tools, "Executing one response"). The order is kept.
 */
function batches<T>(calls: readonly T[], parallel: (call: T) => boolean): T[][] {
  const groups: T[][] = [];
  let open: T[] | null = null;
  for (const call of calls) {
    if (!parallel(call)) {
      groups.push([call]);
      open = null;
    } else if (open !== null && open.length < batchSize) {
      open.push(call);
    } else {
      open = [call];
      groups.push(open);
    }
  }
  return groups;
}

/**
 * Lets a call wait for its turn to run, or gives it the result that says why it does not. Returns why a
 * hook ends the turn, if this is where one does.
 */
async function* admit(
  run: Run,
  pending: Pending,
  call: ParsedCall,
  halt: string | null,
): AsyncGenerator<AgentEvent, string | null> {
  if (halt !== null || run.signal.aborted) {
    pending.result = failed(halt === null ? interrupted : stoppedByHook(halt));
    return null;
  }
  const outcome = yield* authorize(run, call);
  if ('call' in outcome) pending.call = outcome.call;
  else pending.result = failed(outcome.refusal);
  return 'refusal' in outcome ? (outcome.halt ?? null) : null;
}

/** A hook ends the turn: what was let through before it does not run either. */
function* holdBack(round: readonly Pending[], halt: string): Generator<AgentEvent, void> {
  for (const pending of round.filter(({ result }) => result === undefined)) {
    pending.result = failed(stoppedByHook(halt));
    yield endEvent(pending, pending.result, 0);
  }
}

/**
 * Carries out the calls of one message: each is authorized in order, then neighbours that may run
 * together run together, and all results go back as one user message in the model's order, recorded
 * before anybody is asked again (spec: tools, "Executing one response"). `brokenBefore` counts the
 * calls of this turn whose arguments could not be read. Returns why a hook ends the turn, or null.
 */
export async function* toolRound(
  run: Run,
  message: Message,
  brokenBefore: number,
): AsyncGenerator<AgentEvent, string | null> {
  const round = callsOf(message).map((block) => parseCall(run, block, brokenBefore));
  let halt: string | null = null;
  for (const pending of round) {
    if (pending.call !== undefined) halt = (yield* admit(run, pending, pending.call, halt)) ?? halt;
    if (pending.result !== undefined) yield endEvent(pending, pending.result, 0);
  }
  if (halt !== null) yield* holdBack(round, halt);
  const allowed = round.filter((pending) => pending.result === undefined);
  for (const batch of batches(allowed, (pending) => pending.call?.tool.parallel === true)) {
    const channel = new Channel();
    const running = Promise.all(batch.map((pending) => runOne(run, pending, channel))).finally(() =>
      channel.close(),
    );
    yield* channel;
    await running;
  }
  const results: Message = { role: 'user', blocks: round.map(resultBlock) };
  await run.ports.log.append({
    type: 'message',
    message: results,
    ...run.freshness.drain(),
    ...(run.signal.aborted ? { interrupted: true } : {}),
  });
  run.state.messages = append(run.state.messages, results);
  return halt;
}
