import type { AgentEvent } from '../../ports/event.ts';
import type { Block, Message } from '../../ports/message.ts';
import type { ProviderDelta } from '../../ports/provider.ts';

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; json: string; index: number; name: string; id: string | undefined };

function parsedObject(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What was shown of an answer that never came to its end: text and thinking so far, and the calls
 * whose arguments were complete (spec: agent-loop, "Interrupts"). An unfinished call is left out.
 */
export class PartialAnswer {
  private readonly parts: Part[] = [];

  /** Takes in what was shown; answers with the event that shows it. */
  add(delta: ProviderDelta): AgentEvent {
    switch (delta.kind) {
      case 'text':
      case 'thinking': {
        const last = this.parts.at(-1);
        if (last?.kind === delta.kind) last.text += delta.text;
        else this.parts.push({ kind: delta.kind, text: delta.text });
        return { type: `${delta.kind}_delta`, text: delta.text };
      }
      case 'tool_start': {
        const { index, name, id } = delta;
        this.parts.push({ kind: 'call', json: '', index, name, id });
        return { type: 'tool_call_delta', tool_id: id ?? `call-${index}`, tool_name: name };
      }
      case 'tool_input': {
        const { index, json } = delta;
        const call = this.parts.find((part) => part.kind === 'call' && part.index === index);
        const { id, name } = call?.kind === 'call' ? call : { id: undefined, name: '' };
        if (call?.kind === 'call') call.json += json;
        return {
          type: 'tool_call_delta',
          tool_id: id ?? `call-${index}`,
          tool_name: name,
          input_delta: json,
        };
      }
      default:
        return delta satisfies never;
    }
  }

  /** The message to store. `newId` makes ids for calls that came without one. */
  message(model: string, provider: string, newId: () => string): Message {
    const blocks = this.parts.flatMap((part): Block[] => {
      if (part.kind === 'thinking') return [{ type: 'thinking', text: part.text, provider }];
      if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      const input = parsedObject(part.json);
      return input === undefined
        ? []
        : [{ type: 'tool_use', id: part.id ?? newId(), name: part.name, input }];
    });
    // Reasoning alone says nothing to anybody, and no vendor takes it back.
    return { role: 'assistant', model, blocks: blocks.every((b) => b.type === 'thinking') ? [] : blocks };
  }
}
