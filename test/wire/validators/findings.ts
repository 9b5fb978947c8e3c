/** JSON as a server reads it. */
export type Json = Record<string, unknown>;

/** What a validator is told beside the body. */
export interface ValidatorOptions {
  /** Whether reasoning that comes back (a signature, an item, a text) was this model's own; all of it unless given. */
  isOwn?(payload: string): boolean;
}

/** What a strict server would refuse in a body; nothing where it would take it. */
export type Validator = (body: Json, options?: ValidatorOptions) => string[];

export const toolId = /^[a-zA-Z0-9_-]{1,40}$/;
export const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const mediaType = /^image\/(png|jpeg|gif|webp)$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Collects what is wrong, each with its place. */
export class Findings {
  readonly list: string[] = [];
  readonly #isOwn: (payload: string) => boolean;

  constructor(options: ValidatorOptions | undefined) {
    this.#isOwn = options?.isOwn ?? (() => true);
  }

  check(holds: boolean, where: string, what: string): boolean {
    if (!holds) this.list.push(`${where}: ${what}`);
    return holds;
  }

  own(payload: string, where: string): void {
    this.check(payload !== '' && this.#isOwn(payload), where, 'is not what this model sent');
  }

  text(value: unknown, where: string): void {
    this.check(typeof value === 'string' && value.trim() !== '', where, 'is no text, or an empty one');
  }

  /** Only these keys may be there: strict servers refuse what they do not know. */
  keys(value: Json, known: readonly string[], where: string): void {
    for (const key of Object.keys(value)) this.check(known.includes(key), where, `holds ${key}`);
  }

  image(type: unknown, data: unknown, where: string): void {
    this.check(typeof type === 'string' && mediaType.test(type), where, 'is no image type');
    this.check(typeof data === 'string' && base64.test(data), where, 'is no base64');
  }

  dataUrl(url: unknown, where: string): void {
    const [, type, data] = /^data:([^;]*);base64,(.*)$/s.exec(String(url)) ?? [];
    this.image(type, data, where);
  }

  tools(tools: unknown, read: (tool: Json) => { name: unknown; schema: unknown }): void {
    if (tools === undefined) return;
    const names = new Set<unknown>();
    if (!this.check(Array.isArray(tools) && tools.length > 0, 'tools', 'is no list, or an empty one')) return;
    for (const [at, tool] of list(tools).entries()) {
      const { name, schema } = read(object(tool));
      this.check(typeof name === 'string' && toolName.test(name), `tools.${at}`, 'has a bad name');
      this.check(!names.has(name), `tools.${at}`, 'has a name that was there before');
      names.add(name);
      this.check(object(schema)['type'] === 'object', `tools.${at}`, 'has no object schema');
    }
  }

  /** No half of a surrogate pair, in keys or values: JSON parsers of servers refuse them. */
  wellFormed(value: unknown, where = 'body'): void {
    if (typeof value === 'string') this.check(isWellFormed(value), where, 'holds half a character');
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      this.check(isWellFormed(key), where, 'has half a character in a key');
      this.wellFormed(item, `${where}.${key}`);
    }
  }
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, an empty one where it is none. */
export function object(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The value as a list, an empty one where it is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function isObjectText(value: unknown): boolean {
  try {
    return typeof value === 'string' && isObject(JSON.parse(value));
  } catch {
    return false;
  }
}

/** Both lists hold the same, in the same order. */
export function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}
