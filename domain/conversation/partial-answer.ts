import type { Block, Message } from '../../ports/message.ts';
import type { ProviderDelta } from '../../ports/provider.ts';

interface Part {
  kind: 'text' | 'thinking' | 'call';
  text: string;
  index: number;
  name: string;
  id: string | undefined;
}

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

  /** True once the user has seen anything. */
  get shown(): boolean {
    return this.parts.length > 0;
  }

  add(delta: ProviderDelta): void {
    switch (delta.kind) {
      case 'text':
      case 'thinking': {
        const last = this.parts.at(-1);
        if (last?.kind === delta.kind) last.text += delta.text;
        else this.parts.push({ kind: delta.kind, text: delta.text, index: -1, name: '', id: undefined });
        return;
      }
      case 'tool_start':
        this.parts.push({ kind: 'call', text: '', index: delta.index, name: delta.name, id: delta.id });
        return;
      case 'tool_input': {
        const call = this.parts.find((part) => part.kind === 'call' && part.index === delta.index);
        if (call !== undefined) call.text += delta.json;
        return;
      }
      default:
        delta satisfies never;
    }
  }

  /** The message to store. `newId` makes ids for calls that came without one. */
  message(model: string, provider: string, newId: () => string): Message {
    const blocks = this.parts.flatMap((part): Block[] => {
      if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      if (part.kind === 'thinking') return [{ type: 'thinking', text: part.text, provider }];
      const input = parsedObject(part.text);
      return input === undefined
        ? []
        : [{ type: 'tool_use', id: part.id ?? newId(), name: part.name, input }];
    });
    // Reasoning alone says nothing to anybody, and no vendor takes it back.
    return { role: 'assistant', model, blocks: blocks.every((b) => b.type === 'thinking') ? [] : blocks };
  }
}
