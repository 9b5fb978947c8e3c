/**
 * A prompt in which everything in quotes or backticks is replaced by a mark, so that words in it are
 * not taken for instructions.
 */
export class QuotedText {
  readonly #values: string[] = [];
  readonly #written: string[] = [];
  /** The prompt with its marks. */
  readonly text: string;

  constructor(prompt: string) {
    this.text = prompt
      .replace(/[\u0001\u0002]/g, '')
      .replace(/```[a-z]*\n([\s\S]*?)\n?```/g, (whole: string, inner: string) => this.#hide(whole, inner))
      .replace(/`([^`\n]+)`|"([^"\n]*)"|“([^”\n]*)”|«([^»\n]*)»/g, (whole: string, ...groups: unknown[]) =>
        this.#hide(whole, groups.slice(0, 4).find((group) => typeof group === 'string') as string),
      )
      // A single quote is an apostrophe as well: only where it stands around whole words.
      .replace(/(?<=^|[\s(,:=])['‘]([^'’\n]+)['’](?=$|[\s.,;:!?)])/g, (whole: string, inner: string) =>
        this.#hide(whole, inner),
      );
  }

  #hide(written: string, value: string): string {
    this.#written.push(written);
    this.#values.push(value);
    return `\u0001${this.#values.length - 1}\u0002`;
  }

  /** The words behind the marks in `part`, without the quotes. */
  reveal(part: string): string {
    return this.#replaced(part, this.#values);
  }

  /** `part` as it was written, quotes and all: for commands. */
  written(part: string): string {
    return this.#replaced(part, this.#written);
  }

  /** True if `part` is one quoted text and nothing else. */
  isQuoted(part: string): boolean {
    return /^\u0001\d+\u0002$/.test(part);
  }

  // A quoted text can hold an earlier mark, as a fence holds backticks.
  #replaced(part: string, by: readonly string[]): string {
    const text = part.replace(/\u0001(\d+)\u0002/g, (_, at: string) => by[Number(at)] ?? '');
    return text.includes('\u0001') ? this.#replaced(text, by) : text;
  }
}
