import type { Ids } from '../../../ports/clock.ts';
import type { ToolUseBlock } from '../../../ports/message.ts';
import type { ProviderDelta } from '../../../ports/provider.ts';
import { parseArguments } from '../wire/arguments.ts';
import { list, record, text } from '../wire/json.ts';
import { madeUpToolId } from '../wire/tool-ids.ts';

interface Call {
  key: number | null;
  id: string;
  name: string;
  json: string;
  /** Given whole, as an object. */
  input: object | null;
  /** Its place among the calls shown; null until its name is known. */
  index: number | null;
}

/**
 * Puts the calls of a Chat Completions answer together (wire formats, section 10, "Calls"): by index,
 * by id, or by name, whatever the server gives.
 */
export class ToolCalls {
  readonly #ids: Ids;
  readonly #calls: Call[] = [];
  #shown = 0;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  get size(): number {
    return this.#shown;
  }

  take(deltas: unknown): ProviderDelta[] {
    return list(deltas).flatMap((delta) => this.#take(record(delta)));
  }

  blocks(): ToolUseBlock[] {
    return this.#calls
      .filter((call) => call.index !== null)
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ id, name, input, json }) => ({
        type: 'tool_use',
        id: id || madeUpToolId(this.#ids),
        name,
        ...(input ? { input } : parseArguments(json)),
      }));
  }

  #take(delta: Record<string, unknown>): ProviderDelta[] {
    const called = record(delta['function']);
    const id = text(delta['id']);
    const name = text(called['name']);
    const call = this.#find(typeof delta['index'] === 'number' ? delta['index'] : null, id, name);
    call.id ||= this.#calls.some((other) => other !== call && other.id === id) ? '' : id;
    call.name ||= name;
    const started: ProviderDelta[] = [];
    if (call.index === null && call.name !== '') {
      call.index = this.#shown;
      this.#shown += 1;
      const known = call.id === '' ? {} : { id: call.id };
      started.push(
        { kind: 'tool_start', index: call.index, name: call.name, ...known },
        ...input(call, call.json),
      );
    }
    const before = call.json.length;
    addArguments(call, called['arguments']);
    return [...started, ...input(call, call.json.slice(before))];
  }

  /** The call that a delta belongs to, or a new one. */
  #find(key: number | null, id: string, name: string): Call {
    const last = this.#calls.at(-1);
    const found =
      key === null
        ? (this.#calls.find((call) => id !== '' && call.id === id) ??
          (id === '' && name === '' ? last : undefined))
        : this.#calls.findLast((call) => call.key === key);
    const another = key !== null && id !== '' && found !== undefined && found.id !== '' && found.id !== id;
    if (found && !another) return found;
    const call: Call = { key, id: '', name: '', json: '', input: null, index: null };
    this.#calls.push(call);
    return call;
  }
}

/** Text is added; an object is the whole, and what was shown before or comes after it counts no more. */
function addArguments(call: Call, given: unknown): void {
  if (typeof given === 'object' && given !== null) {
    call.input ??= given;
    if (call.json === '') call.json = JSON.stringify(given);
  } else if (call.input === null) call.json += text(given);
}

function input(call: Call, json: string): ProviderDelta[] {
  return call.index === null || json === '' ? [] : [{ kind: 'tool_input', index: call.index, json }];
}
