import { createScanner, findNodeAtLocation, type Node, parseTree, type SyntaxKind } from 'jsonc-parser';

/** Replaces `length` characters at `offset`. */
interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** How a document is written. */
interface Style {
  eol: string;
  /** One level of indentation. */
  indent: string;
  /** A value that fits a line of this many characters stands on one. */
  width: number;
}

/** Tokens by number: the package's own names exist for its compiler only. */
const tokens = { comma: 5, lineComment: 12, blockComment: 13, blanks: 15, end: 17 } satisfies Record<
  string,
  SyntaxKind
>;

const lineWidth = 80;

function styleOf(text: string, root: Node, width = lineWidth): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const first = root.children?.[0];
  const indent = first === undefined ? '' : lineIndent(text, first.offset);
  return { eol, indent: indent === '' || !startsLine(text, first?.offset ?? 0) ? '  ' : indent, width };
}

const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Nothing but blanks stands before it in its line. */
const startsLine = (text: string, offset: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));

/** A value on one line, with blanks where people put them. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** The text of a value behind a line's indentation. */
function written(value: unknown, before: string, style: Style, oneLine: boolean): string {
  const short = inline(value);
  if (oneLine || short.length <= style.width) return short;
  return JSON.stringify(value, null, style.indent).replaceAll('\n', `${style.eol}${before}`);
}

/** The first token of this kind between two offsets, comments left aside. */
function findToken(text: string, kind: SyntaxKind, from: number, to: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  for (let token = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    if (scanner.getTokenOffset() >= to) return null;
    if (token === kind) return scanner.getTokenOffset();
  }
  return null;
}

/** Where the comments end that stand behind `from` in its line, and whether one of them ends the line. */
function sameLineComments(text: string, from: number): { end: number; endsLine: boolean } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end = from;
  for (;;) {
    const token = scanner.scan();
    const tokenEnd = scanner.getTokenOffset() + scanner.getTokenLength();
    if (token === tokens.lineComment) return { end: tokenEnd, endsLine: true };
    if (token === tokens.blockComment) end = tokenEnd;
    else if (token !== tokens.blanks) return { end, endsLine: false };
  }
}

/** The text of a member, behind a line's indentation or on one line with others. */
type MemberText = (before: string, oneLine: boolean) => string;

const member =
  (key: string, value: unknown, style: Style): MemberText =>
  (before, oneLine) =>
    `${JSON.stringify(key)}: ${written(value, before, style, oneLine)}`;

/** One more member of an object or a list, at its end. */
function inserted(text: string, parent: Node, textOf: MemberText, style: Style): Edit[] {
  const last = parent.children?.at(-1);
  const close = parent.offset + parent.length - 1;
  if (last === undefined) return intoEmpty(text, parent, textOf, style);
  const end = last.offset + last.length;
  const comma = findToken(text, tokens.comma, end, close);
  const tail = sameLineComments(text, comma === null ? end : comma + 1);
  const ownLine = startsLine(text, last.offset) || tail.endsLine;
  const before = lineIndent(text, last.offset);
  const gap = ownLine ? `${style.eol}${before}` : ' ';
  return [
    ...(comma === null ? [{ offset: end, length: 0, text: ',' }] : []),
    { offset: tail.end, length: 0, text: `${gap}${textOf(before, !ownLine)}${comma === null ? '' : ','}` },
  ];
}

function intoEmpty(text: string, parent: Node, textOf: MemberText, style: Style): Edit[] {
  const close = parent.offset + parent.length - 1;
  const outer = lineIndent(text, parent.offset);
  const before = `${outer}${style.indent}`;
  // Comments that stand in it stay where they are, before the new member.
  const kept = text.slice(parent.offset + 1, close).trimEnd().length;
  const closed = startsLine(text, close) ? '' : `${style.eol}${outer}`;
  const made = `${style.eol}${before}${textOf(before, false)}${closed}`;
  return [{ offset: parent.offset + 1 + kept, length: 0, text: made }];
}

function removed(text: string, parent: Node, at: number): Edit[] {
  const members = parent.children ?? [];
  const gone = members[at];
  if (gone === undefined) return [];
  const end = gone.offset + gone.length;
  const close = parent.offset + parent.length - 1;
  const after = findToken(text, tokens.comma, end, members[at + 1]?.offset ?? close);
  const previous = members[at - 1];
  const before =
    after !== null || previous === undefined
      ? null
      : findToken(text, tokens.comma, previous.offset + previous.length, gone.offset);
  const joined = after !== null && text.slice(end, after).trim() === '';
  const commas = [before, joined ? null : after].filter((offset) => offset !== null);
  return [
    ...commas.map((offset) => ({ offset, length: 1, text: '' })),
    wholeLine(text, gone.offset, joined ? after + 1 : end),
  ];
}

/** Takes the line away too, if nothing else stands in it; else the blanks before the member. */
function wholeLine(text: string, from: number, to: number): Edit {
  const isFirst = startsLine(text, from);
  const rest = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(to))?.[0];
  if (isFirst && rest !== undefined) {
    const start = lineStart(text, from);
    return { offset: start, length: to + rest.length - start, text: '' };
  }
  const start = isFirst ? from : text.slice(0, from).trimEnd().length;
  return { offset: start, length: to - start, text: '' };
}

function apply(text: string, edits: Edit[]): string {
  // From the end, so that offsets stay right; of two at one place the first in the list comes first.
  return edits
    .toReversed()
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (now, { offset, length, text: by }) => now.slice(0, offset) + by + now.slice(offset + length),
      text,
    );
}

/** Why a document cannot be changed at a path: something on the way is no object. */
export interface EditRefusal {
  /** The part of the path that leads to it. */
  path: readonly string[];
}

function memberOf(node: Node, name: string): number {
  return (node.children ?? []).findIndex(({ children }) => children?.[0]?.value === name);
}

/**
 * Sets the value at a path of a JSON document with comments, or takes the key away where `value` is
 * undefined. Everything else stays as it is, byte for byte: comments, order, indentation, line ends,
 * the byte order mark. The document must be sound. A value that is longer than `width` gets lines of its own.
 */
export function editJson(
  document: string,
  path: readonly string[],
  value: unknown,
  width = lineWidth,
): { text: string } | { refused: EditRefusal } {
  const mark = document.startsWith('\ufeff') ? '\ufeff' : '';
  const text = document.slice(mark.length);
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  if (root === undefined) {
    if (value === undefined) return { text: document };
    const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
    const above = text === '' || /[\r\n]$/.test(text) ? text : `${text}${eol}`;
    return editJson(`${mark}${above}{}${eol}`, path, value, width);
  }
  const style = styleOf(text, root, width);
  let node = root;
  for (const [at, name] of path.entries()) {
    if (node.type !== 'object') return { refused: { path: path.slice(0, at) } };
    const index = memberOf(node, name);
    const next = node.children?.[index]?.children?.[1];
    if (next === undefined) {
      if (value === undefined) return { text: document };
      const rest = path.slice(at + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      return { text: mark + apply(text, inserted(text, node, member(name, rest, style), style)) };
    }
    if (at === path.length - 1) {
      const edits =
        value === undefined ? removed(text, node, index) : [replaced(text, node, next, value, style)];
      return { text: mark + apply(text, edits) };
    }
    node = next;
  }
  return { refused: { path: [] } };
}

function replaced(text: string, parent: Node, old: Node, value: unknown, style: Style): Edit {
  const holder = old.parent ?? parent;
  const ownLine = startsLine(text, holder.offset);
  return {
    offset: old.offset,
    length: old.length,
    text: written(value, lineIndent(text, holder.offset), style, !ownLine),
  };
}

/**
 * Adds an item to the end of the list at a path of a JSON document with comments, making the list, with
 * a line for each item, if there is none. Everything else stays as it is, as in `editJson`. `refused`: what stands there, or on
 * the way, is something else.
 */
export function appendJson(
  document: string,
  path: readonly string[],
  item: unknown,
): { text: string } | { refused: EditRefusal } {
  const mark = document.startsWith('\ufeff') ? '\ufeff' : '';
  const text = document.slice(mark.length);
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const list = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (root === undefined || list === undefined) return editJson(document, path, [item], 0);
  if (list.type !== 'array') return { refused: { path } };
  const style = styleOf(text, root);
  const textOf: MemberText = (before, oneLine) => written(item, before, style, oneLine);
  return { text: mark + apply(text, inserted(text, list, textOf, style)) };
}
