import { isAbsolute } from 'node:path';
import { errorText, PortError } from '../../../ports/errors.ts';
import type { Block, Message } from '../../../ports/message.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../ports/provider.ts';
import { retryable } from '../errors/classify.ts';
import type { ScriptResponse } from './script-file.ts';

/** Characters of a request that an error shows. */
const shown = 1500;

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text;
    case 'tool_use':
      return `${block.name} ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return block.content;
    case 'image':
      return `(${block.mediaType})`;
    case 'opaque':
      return '';
    default:
      return block satisfies never;
  }
}

function messageText(message: Message): string {
  return message.blocks.map(blockText).join('\n');
}

function refuse(text: string): PortError<'provider'> {
  return new PortError('provider', 'invalid_request', text, { retryable: false });
}

/** Why a script's file cannot be read, and where it was looked for. */
function unreadable(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return `The script ${file} is a folder; name a YAML or JSON file.`;
  if (code !== 'ENOENT') return `The script ${file} cannot be read: ${errorText(error)}`;
  return `There is no script ${file}${isAbsolute(file) ? '' : ` (looked in ${process.cwd()})`}.`;
}

function lastPart(request: ModelRequest): string {
  const last = request.messages.at(-1);
  const text = last === undefined ? '(no message)' : messageText(last);
  return text.length > shown ? `…${text.slice(-shown)}` : text;
}

function checkExpected(where: string, response: ScriptResponse, request: ModelRequest): void {
  const { expect } = response;
  if (expect === undefined) return;
  const all = [request.system, ...request.messages.map(messageText), JSON.stringify(request.tools)].join(
    '\n',
  );
  if (all.includes(expect)) return;
  throw refuse(
    `${where} expects ${JSON.stringify(expect)} in the request, and it is not there. The request ends with:\n${lastPart(request)}`,
  );
}

function messageOf(response: ScriptResponse, number: number, model: string): Message {
  const blocks: Block[] = [];
  if (response.thinking) blocks.push({ type: 'thinking', text: response.thinking, provider: 'script' });
  if (response.text) blocks.push({ type: 'text', text: response.text });
  for (const [at, call] of (response.calls ?? []).entries()) {
    const id = call.id ?? `call_${number}_${at + 1}`;
    blocks.push({
      type: 'tool_use',
      id,
      name: call.name,
      input: call.input,
      ...(call.input === null ? { rawInput: '{"cut": "o' } : {}),
    });
  }
  return { role: 'assistant', model, blocks };
}

/** The deltas that lead to a message: text in a few pieces, as from a server. */
function* deltasOf(message: Message): Generator<ProviderEvent> {
  let index = 0;
  for (const block of message.blocks) {
    if (block.type === 'text' || block.type === 'thinking') {
      for (const text of block.text.match(/[\s\S]{1,80}(?=\s|$)|[\s\S]{1,80}/gu) ?? [])
        yield { kind: block.type, text };
    }
    if (block.type !== 'tool_use') continue;
    const { id, name, input, rawInput } = block;
    yield { kind: 'tool_start', index, name, id };
    const json = rawInput ?? JSON.stringify(input);
    if (json !== '{}') yield { kind: 'tool_input', index, json };
    index += 1;
  }
}

function scriptedError(error: NonNullable<ScriptResponse['error']>, where: string): PortError<'provider'> {
  const { kind, message, status, retry_after: wait } = error;
  return new PortError('provider', kind, message ?? `${where} is an error of kind ${kind}`, {
    retryable: error.retryable ?? retryable.includes(kind),
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/**
 * Replays a script (spec: providers, `script`): the model is a file, a YAML or JSON list of responses,
 * one for each request. Requests are counted by this provider and each file apart, so a retry takes the
 * next response, and a session that is resumed in a new process begins its file anew. A request too
 * many, or one without what is expected, is an error that shows it.
 */
export function createScriptProvider(options: { readFile(path: string): Promise<string> }): Provider {
  const scripts = new Map<string, { responses: ScriptResponse[]; next: number }>();

  async function opened(file: string): Promise<{ responses: ScriptResponse[]; next: number }> {
    const known = scripts.get(file);
    if (known !== undefined) return known;
    const text = await options.readFile(file).catch((error: unknown) => {
      throw new PortError('provider', 'not_found', unreadable(file, error), { retryable: false });
    });
    const { parseScript } = await import('./script-file.ts');
    const script = { responses: await parseScript(file, text), next: 0 };
    scripts.set(file, script);
    return script;
  }

  return {
    name: 'script',
    async *stream(request, signal, watch) {
      signal.throwIfAborted();
      const script = await opened(request.model);
      signal.throwIfAborted();
      const number = script.next + 1;
      const response = script.responses[script.next];
      if (response === undefined) {
        throw refuse(
          `The script ${request.model} has ${script.responses.length} responses, and this is request ${number}. It ends with:\n${lastPart(request)}`,
        );
      }
      script.next += 1;
      const where = `Response ${number} of the script ${request.model}`;
      checkExpected(where, response, request);
      const message = messageOf(response, number, request.model);
      for (const delta of deltasOf(message)) {
        signal.throwIfAborted();
        watch?.onActivity?.();
        yield delta;
      }
      if (response.error !== undefined) throw scriptedError(response.error, where);
      const calls = message.blocks.some((block) => block.type === 'tool_use');
      const { usage } = response;
      yield {
        kind: 'done',
        message,
        usage:
          usage === undefined
            ? null
            : {
                input: usage.input,
                output: usage.output,
                cacheRead: usage.cache_read,
                cacheWrite: usage.cache_write,
              },
        stopReason: response.stop_reason ?? (calls ? 'tool_use' : 'end_turn'),
      };
    },
  };
}
