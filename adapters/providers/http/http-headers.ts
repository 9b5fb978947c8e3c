/**
 * Header fields with the part of the web's `Headers` that the vendor SDKs use. The built-in class would
 * load Node's whole built-in fetch: about 35 ms and 9 MB before the first request
 * (spec: quality, "Speed"). The bundle gives this one to the SDKs in its place.
 */
export class HttpHeaders {
  readonly #fields = new Map<string, string>();

  constructor(init?: HttpHeadersInit) {
    if (!init) return;
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name: string, value: string): void {
    const key = String(name).toLowerCase();
    const before = this.#fields.get(key);
    const text = checked(key, value);
    this.#fields.set(key, before === undefined ? text : `${before}, ${text}`);
  }

  set(name: string, value: string): void {
    const key = String(name).toLowerCase();
    this.#fields.set(key, checked(key, value));
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#fields.delete(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string, headers: HttpHeaders) => void): void {
    for (const [name, value] of this.#fields) visit(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#fields.entries();
  }

  keys(): IterableIterator<string> {
    return this.#fields.keys();
  }

  values(): IterableIterator<string> {
    return this.#fields.values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#fields.entries();
  }
}

export type HttpHeadersInit = Iterable<readonly [string, string]> | Record<string, string>;

/** Refuses what would break out of the header, or cannot be in one; never repeats the value, which may be a key. */
function checked(name: string, value: string): string {
  const text = String(value).trim();
  if (/[\0\r\n]/.test(text)) throw new TypeError(`The value of the header ${name} holds a line break`);
  if (/[^\0-\xff]/.test(text))
    throw new TypeError(`The value of the header ${name} holds a character that no header can carry`);
  return text;
}
