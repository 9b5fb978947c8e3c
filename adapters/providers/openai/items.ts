import type { Ids } from '../../../ports/clock.ts';
import type { Block } from '../../../ports/message.ts';
import { parseArguments } from '../wire/arguments.ts';
import { list, record, text } from '../wire/json.ts';
import { madeUpToolId } from '../wire/tool-ids.ts';

type Json = Record<string, unknown>;

/** The blocks of a message made of these output items (wire formats, section 7, "Message"). */
export function blocksOf(items: readonly Json[], provider: string, ids: Ids): Block[] {
  const used = new Set<string>();
  return items.flatMap((item): Block[] => {
    switch (item['type']) {
      case 'message': {
        const words = textOf(item);
        const phase = text(item['phase']);
        return words === '' ? [] : [{ type: 'text', text: words, ...(phase !== '' && { phase, provider }) }];
      }
      case 'reasoning': {
        const thinking = thinkingOf(item);
        const shown: Block[] = thinking === '' ? [] : [{ type: 'thinking', text: thinking, provider }];
        return [...shown, { type: 'opaque', provider, raw: item }];
      }
      case 'function_call': {
        const given = text(item['call_id']);
        const id = given === '' || used.has(given) ? madeUpToolId(ids) : given;
        used.add(id);
        const input = parseArguments(argumentsOf(item['arguments']));
        return [{ type: 'tool_use', id, name: text(item['name']), ...input }];
      }
      default:
        return [{ type: 'opaque', provider, raw: item }];
    }
  });
}

/** What a message item says, refusals included; nothing for items of other types. */
export function textOf(item: Json): string {
  if (item['type'] !== 'message') return '';
  return parts(item['content'])
    .map((part) => text(part['text']) || text(part['refusal']))
    .join('');
}

/** What a reasoning item lets be seen: its summary, else the reasoning itself. */
export function thinkingOf(item: Json): string {
  if (item['type'] !== 'reasoning') return '';
  const texts = [item['summary'], item['content']].map((each) =>
    parts(each)
      .map((part) => text(part['text']))
      .filter((part) => part !== ''),
  );
  return (texts.find((each) => each.length > 0) ?? []).join('\n\n');
}

/** The argument text of a call; some servers give the object itself. */
export function argumentsOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value);
}

/** The model declines in an item of its own message. */
export function isRefusal(item: Json): boolean {
  return item['type'] === 'message' && parts(item['content']).some((part) => part['type'] === 'refusal');
}

function parts(value: unknown): Json[] {
  return list(value).map(record);
}
