import { forEachChild, parse, type Assignment, type SyntaxNode, type Word, type WordPart } from 'unbash';
import type { ShellAssignment, ShellPart, ShellWord } from '../../ports/shell-parser.ts';
import { expandBraces } from './braces.ts';

/** What a word says, as far as the line alone tells. */
export function wordOf(node: Word | Assignment, budget: BraceBudget): ShellWord {
  const types = new Set<SyntaxNode['type']>();
  forEachChild(node, (child) => gather(child, types));
  const has = (...wanted: SyntaxNode['type'][]) => wanted.some((type) => types.has(type));
  const expands = has('SimpleExpansion', 'ParameterExpansion', 'ArithmeticExpansion');
  const substitutes = has('CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion');
  const braces = has('BraceExpansion');
  const known = node.type === 'Word' && !expands && !substitutes && !braces;
  return {
    raw: node.text,
    value: known ? node.value : null,
    expands,
    substitutes,
    globs: has('Glob', 'ExtendedGlob'),
    tilde: node.text.startsWith('~'),
    parts: node.type === 'Word' ? partsOf(node) : assignmentParts(node),
    ...(braces && node.type === 'Word' ? { braces: bracesOf(node.text, budget) } : {}),
    ...(node.type === 'Assignment' ? { assigns: assignmentOf(node, budget) } : {}),
  };
}

export function assignmentOf(node: Assignment, budget: BraceBudget): ShellAssignment {
  const { name, value, append, index } = node;
  const words = (value.type === 'Word' ? [value] : value.elements).map((word) => wordOf(word, budget));
  return {
    name,
    value: value.type === 'Word' ? (words[0]?.value ?? null) : null,
    words,
    kind: value.type !== 'Word' ? 'list' : index === undefined ? 'set' : 'element',
    append: append === true,
  };
}

function gather(node: SyntaxNode, types: Set<SyntaxNode['type']>): void {
  types.add(node.type);
  forEachChild(node, (child) => gather(child, types));
}

function partsOf(node: Word): ShellPart[] {
  if (node.parts !== undefined) return joined(node.parts.flatMap((part) => partOf(part, false)));
  return node.value === '' ? [] : [{ kind: 'text', text: node.value, quoted: node.text !== node.value }];
}

function assignmentParts(node: Assignment): ShellPart[] {
  const { name, value, append, index } = node;
  if (value.type !== 'Word' || index !== undefined) return [{ kind: 'unknown', quoted: true }];
  const start: ShellPart = { kind: 'text', text: `${name}${append === true ? '+=' : '='}`, quoted: false };
  return joined([start, ...partsOf(value)]);
}

function partOf(part: WordPart, quoted: boolean): ShellPart[] {
  switch (part.type) {
    case 'Literal':
    case 'Glob':
      return [{ kind: 'text', text: part.value, quoted }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 0) return [{ kind: 'text', text: '', quoted: true }];
      return part.parts.flatMap((one) => partOf(one, true));
    case 'ExtendedGlob':
      return [{ kind: 'text', text: part.text, quoted }];
    case 'SimpleExpansion': {
      const name = part.text.slice(1);
      return [{ kind: 'variable', name, all: name === '@' || name === '*', quoted }];
    }
    case 'ParameterExpansion':
      return [parameterOf(part, quoted)];
    default:
      return [{ kind: 'unknown', quoted }];
  }
}

function parameterOf(part: Extract<WordPart, { type: 'ParameterExpansion' }>, quoted: boolean): ShellPart {
  const { parameter: name, prefix, index, operation } = part;
  if (prefix !== undefined) return { kind: 'unknown', quoted };
  const all = /^[@*]$/.test(index?.value ?? name);
  if (operation === undefined) {
    // An array may have no such element.
    const missing = index === undefined || all ? {} : { otherwise: [] };
    return { kind: 'variable', name, all, quoted, ...missing };
  }
  if (operation.type !== 'Default') return { kind: 'unknown', quoted };
  const { operator, operand } = operation;
  if (operator.endsWith('?')) {
    return { kind: 'variable', name, all, quoted, ...(operator === ':?' ? { required: true } : {}) };
  }
  const otherwise = partsOf(operand).map((one) => ({ ...one, quoted: one.quoted || quoted }));
  return {
    kind: 'variable',
    name,
    all,
    quoted,
    otherwise,
    ...(operator.endsWith('=') ? { sets: true } : {}),
  };
}

/** Neighbouring texts as one. */
function joined(parts: readonly ShellPart[]): ShellPart[] {
  const result: ShellPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === 'text' && last?.kind === 'text' && last.quoted === part.quoted) {
      result[result.length - 1] = { ...part, text: last.text + part.text };
    } else result.push(part);
  }
  return result;
}

/** How many words braces may still make in this line. */
export interface BraceBudget {
  left: number;
}

function bracesOf(text: string, budget: BraceBudget): ShellWord[] | null {
  const texts = budget.left > 0 ? expandBraces(text) : null;
  budget.left -= texts?.length ?? 0;
  if (texts === null) return null;
  // After a plain word nothing reads as an assignment or a keyword.
  const [statement] = parse(`: ${texts.map((one) => one.replace(/^#/, '\\#')).join(' ')}`).commands;
  if (statement?.command.type !== 'Command') return null;
  return statement.command.args.map((word) => withoutBraces(wordOf(word, { left: 0 })));
}

/** Braces that are left, as in `{a}`, are text. */
function withoutBraces({ braces, ...word }: ShellWord): ShellWord {
  return braces === undefined ? word : { ...word, parts: [{ kind: 'unknown', quoted: false, many: true }] };
}
