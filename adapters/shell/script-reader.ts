import { forEachChild, type ParsedScript, type Redirection, type SyntaxNode, type Word } from 'unbash';
import type { ShellAssignment, ShellCommand, ShellRedirection, ShellWord } from '../../ports/shell-parser.ts';

export interface ReadScript {
  commands: ShellCommand[];
  redirections: ShellRedirection[];
  substitutes: boolean;
  functions: string[];
  /** A syntax error stands in it or in a script within it. */
  broken: boolean;
}

/** Visits a whole script, those within it included, and notes all that it would run. */
export function readScript(script: ParsedScript, line: string): ReadScript {
  const found: ReadScript = {
    commands: [],
    redirections: [],
    substitutes: false,
    functions: [],
    broken: false,
  };
  visit(script, line, found);
  return found;
}

/** `source` is the text that the node's positions count in. */
function visit(node: SyntaxNode, source: string, found: ReadScript): void {
  let inner = source;
  switch (node.type) {
    case 'Script':
      found.broken ||= (node as ParsedScript).errors !== undefined;
      inner = node.source ?? source;
      break;
    case 'Command':
      found.commands.push(commandOf(node));
      break;
    case 'TestCommand':
    case 'ArithmeticCommand':
      found.commands.push(testOf(source.slice(node.pos, node.end)));
      break;
    case 'ArithmeticFor':
      found.commands.push(testOf(source.slice(node.pos, node.body.pos).replace(/[\s;]*(?:do|\{)\s*$/, '')));
      break;
    case 'Redirected':
      found.redirections.push(...node.redirects.map(redirectionOf));
      break;
    case 'Function':
      found.functions.push(node.name.value);
      break;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      found.substitutes = true;
      found.broken ||= node.script === undefined;
      break;
    case 'ParameterExpansion':
      found.substitutes ||= evaluates(node);
      found.broken ||= node.operation?.type === 'Unknown';
      break;
    default:
  }
  forEachChild(node, (child) => visit(child, inner, found));
}

/** `${x@P}` runs what stands in x, and `${!x}` what stands in the subscript that x may name. */
function evaluates(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  if (node.prefix === '!' && node.operation?.type !== 'Names') return true;
  return node.operation?.type === 'Transform' && !/^[QEAaKkULu]$/.test(node.operation.operand.text);
}

function commandOf(node: Extract<SyntaxNode, { type: 'Command' }>): ShellCommand {
  const words = node.name === undefined ? [] : [wordOf(node.name)];
  for (const argument of node.args) words.push(wordOf(argument));
  return {
    text: words.map(({ raw }) => raw).join(' '),
    words,
    assignments: node.prefix.filter((one) => one.type === 'Assignment').map(assignmentOf),
    redirections: node.redirects.map(redirectionOf),
    test: false,
  };
}

function testOf(text: string): ShellCommand {
  return { text, words: [], assignments: [], redirections: [], test: true };
}

type Assignment = Extract<SyntaxNode, { type: 'Assignment' }>;

function assignmentOf({ name, value }: Assignment): ShellAssignment {
  return { name, value: value.type === 'Word' ? wordOf(value).value : null };
}

function wordOf(node: Word | Assignment): ShellWord {
  const parts = new Set<SyntaxNode['type']>();
  forEachChild(node, (child) => gather(child, parts));
  const has = (...types: SyntaxNode['type'][]) => types.some((type) => parts.has(type));
  const expands = has('SimpleExpansion', 'ParameterExpansion', 'ArithmeticExpansion');
  const substitutes = has('CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion');
  const known = node.type === 'Word' && !expands && !substitutes && !has('BraceExpansion');
  return {
    raw: node.text,
    value: known ? node.value : null,
    expands,
    substitutes,
    globs: has('Glob', 'ExtendedGlob'),
    tilde: node.text.startsWith('~'),
  };
}

function gather(node: SyntaxNode, types: Set<SyntaxNode['type']>): void {
  types.add(node.type);
  forEachChild(node, (child) => gather(child, types));
}

function redirectionOf(node: Redirection): ShellRedirection {
  if (node.type === 'HereDoc') {
    const quoted = node.delimiter?.quoted === true;
    const known = quoted || !/[$`\\]/.test(node.body.text);
    return {
      operator: node.operator,
      target: null,
      ...(known ? { body: node.body.text } : {}),
      writes: false,
    };
  }
  const target = node.target === undefined ? null : wordOf(node.target);
  if (node.type === 'HereString') {
    const body = target?.value ?? null;
    return { operator: node.operator, target, ...(body === null ? {} : { body }), writes: false };
  }
  return { operator: node.operator, target, writes: writes(node.operator, target) };
}

function writes(operator: string, target: ShellWord | null): boolean {
  const path = target?.value ?? null;
  if (path === null || target?.globs === true) return true;
  if (path === '/dev/null') return false;
  // `>&1` copies a descriptor and `>&-` closes one; `>&1out` is a file.
  if (operator === '>&' || operator === '<&') return !/^(?:\d+-?|-)$/.test(path);
  if (operator !== '<') return true;
  // Bash connects where `/dev/tcp/…` says, and devices do what they like.
  return /^\/+dev(?:\/|$)/.test(path);
}
