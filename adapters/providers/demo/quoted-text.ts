/**
 * Backticks and double quotes. A backslash keeps a quote in the text, but for a text such as "C:\dir\"
 * that would then have no end. Over several lines, quotes count where they stand around whole words.
 */
const doubleQuoted =
  /`([^`\n]+)`|"((?:\\.|[^"\\\n])*)"|"([^"\n]*)"|(?<=^|[\s(,:=])"((?:\\[^]|[^"\\])+)"(?=$|[\s.,;:!?)])|“([^”]*)”|«([^»]*)»/g;

/** A single quote is an apostrophe as well: only where it stands around whole words. */
const singleQuoted = /(?<=^|[\s(,:=])['‘]((?:\\['’]|(?<=\w)['’](?=\w)|[^'’\n])+)['’](?=$|[\s.,;:!?)])/g;

/** The text between the quotes; in backticks everything stands for itself. */
function unescaped(whole: string, groups: readonly unknown[]): string {
  const text = groups.find((group) => typeof group === 'string') as string;
  return whole.startsWith('`') ? text : text.replace(/\\(["'])/g, '$1');
}

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
      .replace(doubleQuoted, (whole: string, ...groups: unknown[]) =>
        this.#hide(whole, unescaped(whole, groups)),
      )
      .replace(singleQuoted, (whole: string, inner: string) => this.#hide(whole, unescaped(whole, [inner])));
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
