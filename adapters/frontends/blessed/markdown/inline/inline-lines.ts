import type { MarkedToken, Token } from 'marked';
import { textOf, type Line, type Span, type Style } from '../../text/line.ts';
import { withoutReferences } from './entities.ts';
import { linkTarget, shownTarget } from './link-target.ts';

const softBreak = / *\n */g;

/** Text as it stands in a line: line ends of the source are blanks. */
function joined(text: string): string {
  return text.includes('\n') ? text.replaceAll(softBreak, ' ') : text;
}

class Lines {
  readonly lines: Span[][] = [[]];

  add(text: string, style: Style): void {
    if (text !== '') this.lines.at(-1)?.push({ text, style });
  }

  break(): void {
    this.lines.push([]);
  }
}

function addImage(alt: string, href: string, style: Style, out: Lines): void {
  const name = joined(alt);
  out.add(`[image${name === '' ? '' : `: ${name}`}]`, { ...style, tone: 'muted' });
  const shown = shownTarget(name, href);
  if (shown !== null) out.add(` (${shown})`, { ...style, tone: 'muted' });
}

function addLink(token: Extract<MarkedToken, { type: 'link' }>, style: Style, out: Lines): void {
  const target = linkTarget(token.href);
  const inner: Style = target === null ? style : { ...style, underline: true, link: target };
  const said = inlineLines(token.tokens, inner);
  for (const [at, row] of said.entries()) {
    if (at > 0) out.break();
    for (const part of row) out.add(part.text, part.style);
  }
  const shown = shownTarget(said.map(textOf).join(' '), token.href);
  if (shown !== null) out.add(` (${joined(shown)})`, { ...style, tone: 'muted' });
}

function addAll(tokens: readonly Token[], style: Style, out: Lines): void {
  for (const each of tokens) {
    const token = each as MarkedToken;
    switch (token.type) {
      case 'strong':
        addAll(token.tokens, { ...style, bold: true }, out);
        break;
      case 'em':
        addAll(token.tokens, { ...style, italic: true }, out);
        break;
      case 'del':
        addAll(token.tokens, { ...style, strike: true }, out);
        break;
      case 'codespan':
        out.add(joined(token.text), { ...style, tone: 'accent' });
        break;
      case 'br':
        out.break();
        break;
      case 'link':
        addLink(token, style, out);
        break;
      case 'image':
        addImage(token.text, token.href, style, out);
        break;
      case 'checkbox':
        break;
      case 'escape':
        out.add(token.text, style);
        break;
      case 'html':
        out.add(joined(token.raw), style);
        break;
      case 'text':
        // Not `text`: marked has resolved references in it, also those of control characters.
        if (token.tokens === undefined) out.add(withoutReferences(joined(token.raw)), style);
        else addAll(token.tokens, style, out);
        break;
      default:
        out.add(joined(token.raw), style);
    }
  }
}

/** Text within a block as lines, parted where the source asks for it, not wrapped. */
export function inlineLines(tokens: readonly Token[], style: Style = {}): Line[] {
  const out = new Lines();
  addAll(tokens, style, out);
  return out.lines;
}
