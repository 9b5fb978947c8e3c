import type { Line, Span, Style } from '../../text/line.ts';

/** What a grammar makes of code: text, and spans with the names of what they are. */
export interface HighlightNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly HighlightNode[];
}

/** By the first word of a class such as `hljs-built_in`. */
const styles: Readonly<Record<string, Style>> = {
  keyword: { tone: 'accent' },
  literal: { tone: 'warning' },
  number: { tone: 'warning' },
  symbol: { tone: 'warning' },
  string: { tone: 'success' },
  regexp: { tone: 'success' },
  char: { tone: 'success' },
  subst: { tone: 'text' },
  comment: { tone: 'muted', italic: true },
  quote: { tone: 'muted', italic: true },
  meta: { tone: 'muted' },
  doctag: { bold: true },
  title: { bold: true },
  section: { tone: 'accent', bold: true },
  type: { tone: 'warning' },
  built_in: { tone: 'accent' },
  name: { tone: 'accent' },
  tag: { tone: 'muted' },
  attr: { bold: true },
  attribute: { bold: true },
  variable: { tone: 'text' },
  'selector-tag': { tone: 'accent' },
  'selector-id': { bold: true },
  'selector-class': { bold: true },
  'selector-pseudo': { tone: 'warning' },
  addition: { tone: 'success' },
  deletion: { tone: 'error' },
  bullet: { tone: 'accent' },
  link: { underline: true },
  emphasis: { italic: true },
  strong: { bold: true },
};

function styleOf(node: HighlightNode, around: Style): Style {
  const names: unknown = node.properties?.className;
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  if (typeof first !== 'string') return around;
  const name = first.replace(/^hljs-/, '');
  const own = Object.hasOwn(styles, name) ? styles[name] : undefined;
  return own === undefined ? around : { ...around, ...own };
}

function addNodes(nodes: readonly HighlightNode[], style: Style, lines: Span[][]): void {
  for (const node of nodes) {
    if (node.type !== 'text') {
      addNodes(node.children ?? [], styleOf(node, style), lines);
      continue;
    }
    for (const [at, text] of (node.value ?? '').split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, style });
    }
  }
}

/** The nodes of code as its lines. */
export function withinLines(nodes: readonly HighlightNode[]): readonly Line[] {
  const lines: Span[][] = [[]];
  addNodes(nodes, {}, lines);
  return lines;
}
