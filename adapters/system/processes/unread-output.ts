import { StringDecoder } from 'node:string_decoder';

/** What a background command printed and nobody has read yet: the newest `keepBytes` of it. */
export class UnreadOutput {
  readonly #keepBytes: number;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;
  #omitted = 0;

  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
  }

  push(chunk: Buffer): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** No more will come. */
  end(): void {
    this.#add(this.#decoder.end());
  }

  take(): { text: string; omitted: number } {
    const taken = { text: this.#parts.join(''), omitted: this.#omitted };
    this.#parts = [];
    this.#length = 0;
    this.#omitted = 0;
    return taken;
  }

  #add(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
    this.#length += text.length;
    while (this.#length - (this.#parts[0]?.length ?? 0) >= this.#keepBytes) {
      const dropped = this.#parts.shift() ?? '';
      this.#length -= dropped.length;
      this.#omitted += Buffer.byteLength(dropped);
    }
    if (this.#parts.length > 512) this.#parts = [this.#parts.join('')];
  }
}
