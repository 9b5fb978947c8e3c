import type { PrefixChange } from '../../../ports/tracer.ts';

const words = { changed: 'changed', added: 'is new', removed: 'is gone', moved: 'moved' } as const;

function place(change: PrefixChange): string {
  switch (change.part) {
    case 'model':
      return 'model';
    case 'system':
      return 'system';
    case 'tool':
      return `tool ${change.name}`;
    case 'parameters':
      return `parameter ${change.name}`;
    case 'message': {
      const block = change.block < 0 ? '' : `, block ${change.block}`;
      return `message ${change.message} (${change.role}${block})`;
    }
    default:
      return change satisfies never;
  }
}

/** What broke a prefix, in a few words. Names in it are as they were sent. */
export function causeText(change: PrefixChange): string {
  return `${place(change)} ${words[change.how]}`;
}
