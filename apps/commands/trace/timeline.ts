import { oneLine } from '../../../domain/text/one-line.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import type { TraceRecord } from '../../../ports/tracer.ts';

/** Characters of a tool's input, an address or a text that stand in a line. */
const longest = 120;

function short(text: string): string {
  const line = oneLine(text.slice(0, longest + 1));
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

const number = (value: number): string => value.toLocaleString('en-US');

const bytes = (text: string): string => `${number(Buffer.byteLength(text))} bytes`;

/** A record as one line each, with how long things took. */
export class Timeline {
  /** When something began, by its name. */
  readonly #begun = new Map<string, number>();

  /** Null for what needs no line of its own. */
  line(record: TraceRecord): string | null {
    const at = Date.parse(record.time);
    const clock = Number.isNaN(at) ? '??:??:??' : new Date(at).toISOString().slice(11, 19);
    let text: string | null;
    try {
      text = this.#text(record, at);
    } catch {
      // Written by another version, or changed by hand.
      text = `${short(record.type)}: this version cannot show it; --json prints it`;
    }
    return text === null ? null : `${clock}  ${oneLine(text)}`;
  }

  #begin(name: string, at: number): void {
    this.#begun.set(name, at);
  }

  #took(name: string, at: number): string {
    const from = this.#begun.get(name);
    if (from === undefined || Number.isNaN(at - from)) return '';
    const ms = Math.max(0, at - from);
    return ms < 10_000 ? ` after ${ms} ms` : ` after ${Math.round(ms / 1000)} s`;
  }

  #text(record: TraceRecord, at: number): string | null {
    switch (record.type) {
      case 'start':
        return `--- larik ${short(record.larik)}, session ${short(record.session)} ---`;
      case 'context':
        return `fresh context (${short(record.reason)})`;
      case 'request': {
        const { messages, tools, system } = record.sent;
        this.#begin(`request ${record.request}`, at);
        const said = messages.length === 1 ? '1 message' : `${messages.length} messages`;
        const sizes = `${said}, ${tools.length} tools, system prompt of ${bytes(system)}`;
        return `#${record.request} ${short(record.purpose)} to ${short(record.model)}: ${sizes}`;
      }
      case 'http_request':
        this.#begin(`http ${record.request}.${record.attempt}`, at);
        return `#${record.request} > ${short(`${record.method} ${record.url}`)}, ${bytes(record.body)}`;
      case 'prefix': {
        const { request, shared, before, sent, cause } = record;
        const said = `${number(shared)} of ${number(before)} bytes shared, ${number(sent)} sent`;
        return `#${request}   prefix: ${said}${cause === null ? '' : `: ${short(cause)}`}`;
      }
      case 'prefix_break':
        return `#${record.request}   BREAK at byte ${number(record.at)}: ${short(record.cause)}: ${short(record.change.was)} | ${short(record.change.is)}`;
      case 'http_response':
        return `#${record.request} < ${record.status}${this.#took(`http ${record.request}.${record.attempt}`, at)}`;
      case 'http_end': {
        const { request, attempt, bytes: size, error } = record;
        const how = error === null ? '' : `, broke off: ${short(error)}`;
        return `#${request} < body of ${number(size)} bytes${this.#took(`http ${request}.${attempt}`, at)}${how}`;
      }
      case 'answer': {
        const { request, message, usage, stop_reason } = record;
        const tokens =
          usage === null
            ? ''
            : `; tokens: ${number(usage.input)} in, ${number(usage.output)} out, ${number(usage.cacheRead)} cached, ${number(usage.cacheWrite)} written to the cache`;
        const blocks = message.blocks.map(({ type }) => type).join(', ') || 'nothing';
        return `#${request} answer (${short(stop_reason)})${this.#took(`request ${request}`, at)}: ${short(blocks)}${tokens}`;
      }
      case 'failure':
        return `#${record.request} failed (${short(record.kind)})${this.#took(`request ${record.request}`, at)}: ${short(record.text)}`;
      case 'event':
        return this.#event(record.event, at);
      case 'full':
        return `the record ends here: ${number(record.bytes)} bytes are all that it may hold`;
      default:
        throw new Error(record satisfies never);
    }
  }

  #event(event: StampedEvent, at: number): string | null {
    switch (event.type) {
      case 'turn_start':
        return `prompt (${event.mode}): ${short(event.prompt)}`;
      case 'tool_start':
        this.#begin(`tool ${event.tool_id}`, at);
        return `tool ${short(event.tool_name)} ${short(JSON.stringify(event.input) ?? '')}`;
      case 'tool_end': {
        const how = event.is_error ? 'failed' : 'ended';
        return `tool ${short(event.tool_name)} ${how} after ${event.duration_ms} ms: ${bytes(event.output)}`;
      }
      case 'permission_request':
        this.#begin(`permission ${event.request_id}`, at);
        return `permission asked for ${short(event.tool_name)}: ${short(event.reason)}`;
      case 'permission_resolved':
        return `permission ${event.outcome}${this.#took(`permission ${event.request_id}`, at)}`;
      case 'notice':
        return `${event.level}: ${short(event.text)}`;
      case 'error':
        return `error (${event.kind}): ${short(event.text)}`;
      case 'compacted':
        return `compacted: ${number(event.before_tokens)} to ${number(event.after_tokens)} tokens`;
      case 'mode_changed':
        return `mode ${event.mode}`;
      case 'model_changed':
        return `model ${short(event.model)}`;
      case 'done':
        return `done (${event.stop_reason})`;
      default:
        return null;
    }
  }
}
