import { Lexer, Tokenizer, type Links, type Token, type Tokens } from 'marked';

/** Quotes and lists within each other; what is deeper is text. */
const deepest = 12;
/** Emphasis and links within each other. */
const deepestInline = 16;
/** UTF-16 units of a paragraph; a longer one is text without any Markdown in it. */
const longestInline = 32_768;
/** Signs of emphasis times the length of the text they stand in: what pairing them costs. */
const mostPairing = 2_000_000;

/** UTF-16 units of a heading that its second line makes; marked looks for that line from each line on. */
const longestHeading = 1_000;

const emphasisSigns = /[*_~]/g;

/** Marked's rules, for as many levels as are worth drawing. */
class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src));
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const heading = super.lheading(src.slice(0, longestHeading));
    // What ends where it was cut might go on.
    return heading?.raw.length === longestHeading ? undefined : heading;
  }

  /** `[^1]: text` is a footnote, not where `[^1]` leads. */
  override def(src: string): Tokens.Def | undefined {
    return /^ {0,3}\[\^/.test(src) ? undefined : super.def(src);
  }

  #within<T>(take: () => T | undefined): T | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth += 1;
    try {
      return take();
    } finally {
      this.#depth -= 1;
    }
  }
}

class BoundedLexer extends Lexer {
  #depth = 0;

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= deepestInline || isCostly(src)) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth -= 1;
    }
  }
}

function isCostly(text: string): boolean {
  if (text.length > longestInline) return true;
  if (text.length * text.length < mostPairing) return false;
  return (text.match(emphasisSigns)?.length ?? 0) * text.length > mostPairing;
}

/** Blocks of a text, and where its references lead. */
export interface Lexed {
  tokens: readonly Token[];
  links: Links;
}

/**
 * Marked's tokens of a text that `sourceText` made, in time about linear to its length whatever it says.
 * `links` are references of what stands before it. What marked gives up on is one paragraph.
 */
export function lexMarkdown(text: string, links: Links = {}): Lexed {
  const lexer = new BoundedLexer({ gfm: true, tokenizer: new BoundedTokenizer() });
  Object.assign(lexer.tokens.links, links);
  try {
    return { tokens: lexer.lex(text), links: lexer.tokens.links };
  } catch {
    const tokens: Token[] = [{ type: 'text', raw: text, text, escaped: false }];
    return { tokens: [{ type: 'paragraph', raw: text, text, tokens }], links };
  }
}
