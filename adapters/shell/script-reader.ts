import { forEachChild, type ParsedScript, type Redirection, type SyntaxNode } from 'unbash';
import type { ShellCommand, ShellLoop, ShellRedirection, ShellWord } from '../../ports/shell-parser.ts';
import { assignmentOf, wordOf, type BraceBudget } from './words.ts';

export interface ReadScript {
  commands: ShellCommand[];
  loops: ShellLoop[];
  redirections: ShellRedirection[];
  substitutes: boolean;
  expandsTwice: boolean;
  functions: string[];
  /** A syntax error stands in it or in a script within it. */
  broken: boolean;
}

interface Reading extends ReadScript {
  budget: BraceBudget;
  /** The subshells that are being visited, and how many there were so far. */
  subshells: readonly number[];
  counted: number;
}

/** All the words that the braces of one line are taken to. */
const mostBraces = 1000;

/** Visits a whole script, those within it included, and notes all that it would run. */
export function readScript(script: ParsedScript, line: string): ReadScript {
  const found: Reading = {
    commands: [],
    loops: [],
    redirections: [],
    substitutes: false,
    expandsTwice: false,
    functions: [],
    broken: false,
    budget: { left: mostBraces },
    subshells: [],
    counted: 0,
  };
  visit(script, line, found);
  return found;
}

/** `source` is the text that the node's positions count in. */
function visit(node: SyntaxNode, source: string, found: Reading): void {
  let inner = source;
  switch (node.type) {
    case 'Script':
      found.broken ||= (node as ParsedScript).errors !== undefined;
      inner = node.source ?? source;
      break;
    case 'Command':
      found.commands.push({ ...commandOf(node, found.budget), subshells: found.subshells });
      break;
    case 'TestCommand':
    case 'ArithmeticCommand':
      found.commands.push({ ...testOf(source.slice(node.pos, node.end)), subshells: found.subshells });
      break;
    case 'ArithmeticFor':
      found.commands.push({
        ...testOf(source.slice(node.pos, node.body.pos).replace(/[\s;]*(?:do|\{)\s*$/, '')),
        subshells: found.subshells,
      });
      break;
    case 'Redirected':
      found.redirections.push(...node.redirects.map((one) => redirectionOf(one, found.budget)));
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
      found.expandsTwice ||= isPrompt(node);
      found.broken ||= node.operation?.type === 'Unknown';
      break;
    default:
  }
  descend(node, inner, found);
}

/** Visits what stands in a node, and notes where it stands and for how long what it did is sure to hold. */
function descend(node: SyntaxNode, source: string, found: Reading): void {
  const go = (child: SyntaxNode) => visit(child, source, found);
  const apart = (child: SyntaxNode) => {
    const from = found.commands.length;
    go(child);
    endAt(found, from);
  };
  const below = (child: SyntaxNode) => {
    const { subshells } = found;
    found.counted += 1;
    found.subshells = [...subshells, found.counted];
    apart(child);
    found.subshells = subshells;
  };
  switch (node.type) {
    case 'AndOr':
      return descendList(node, go, found);
    case 'Statement':
      return (node.background === true ? below : go)(node.command);
    case 'Pipeline':
      return node.commands.forEach(node.commands.length > 1 ? below : go);
    case 'If':
      go(node.clause);
      apart(node.then);
      for (const branch of node.elif) apart(branch);
      if (node.else !== undefined) apart(node.else);
      return;
    case 'While':
      go(node.clause);
      return apart(node.body);
    case 'For':
    case 'Select': {
      const loop: ShellLoop = {
        name: node.name.value,
        words: node.wordlist?.map((word) => wordOf(word, found.budget)) ?? null,
        from: found.commands.length,
        until: 0,
      };
      found.loops.push(loop);
      for (const word of node.wordlist ?? []) go(word);
      apart(node.body);
      loop.until = found.commands.length;
      return;
    }
    case 'Subshell':
    case 'Coproc':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return forEachChild(node, below);
    case 'CaseItem':
    case 'Function':
    case 'ArithmeticFor':
      return forEachChild(node, apart);
    default:
      forEachChild(node, go);
  }
}

/** What `&&` leads to is sure for the rest of its chain, what `||` leads to for nothing after it. */
function descendList(
  node: Extract<SyntaxNode, { type: 'AndOr' }>,
  go: (child: SyntaxNode) => void,
  found: Reading,
): void {
  const { commands } = found;
  let chain: number | null = null;
  for (const [at, child] of node.commands.entries()) {
    const from = commands.length;
    const after = at === 0 ? undefined : node.operators[at - 1];
    if (after === '||' && chain !== null) {
      endAt(found, chain);
      chain = null;
    }
    if (after === '&&') chain ??= from;
    go(child);
    const first = commands[from];
    if (after !== undefined && first !== undefined) first.after ??= after;
    if (after === '||') endAt(found, from);
  }
  if (chain !== null) endAt(found, chain);
}

/** From the next command on it is not sure that those since `from` have run in this shell. */
function endAt({ commands }: Reading, from: number): void {
  for (const command of commands.slice(from)) command.until = Math.min(command.until, commands.length);
}

/** `${x@P}` runs what stands in x, and `${!x}` what stands in the subscript that x may name. */
function evaluates(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  if (node.prefix === '!' && node.operation?.type !== 'Names') return true;
  return isPrompt(node);
}

function isPrompt({ operation }: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  return operation?.type === 'Transform' && !/^[QEAaKkULu]$/.test(operation.operand.text);
}

function commandOf(node: Extract<SyntaxNode, { type: 'Command' }>, budget: BraceBudget): ShellCommand {
  const words = node.name === undefined ? [] : [wordOf(node.name, budget)];
  for (const argument of node.args) words.push(wordOf(argument, budget));
  return {
    text: words.map(({ raw }) => raw).join(' '),
    words,
    assignments: node.prefix
      .filter((one) => one.type === 'Assignment')
      .map((one) => assignmentOf(one, budget)),
    redirections: node.redirects.map((one) => redirectionOf(one, budget)),
    test: false,
    until: Infinity,
  };
}

function testOf(text: string): ShellCommand {
  return { text, words: [], assignments: [], redirections: [], test: true, until: Infinity };
}

function redirectionOf(node: Redirection, budget: BraceBudget): ShellRedirection {
  const descriptor = descriptorOf(node);
  if (node.type === 'HereDoc') {
    const quoted = node.delimiter?.quoted === true;
    const known = quoted || !/[$`\\]/.test(node.body.text);
    return {
      operator: node.operator,
      ...descriptor,
      target: null,
      ...(known ? { body: node.body.text } : {}),
      writes: false,
    };
  }
  const target = node.target === undefined ? null : wordOf(node.target, budget);
  if (node.type === 'HereString') {
    const body = target?.value ?? null;
    return {
      operator: node.operator,
      ...descriptor,
      target,
      ...(body === null ? {} : { body }),
      writes: false,
    };
  }
  return { operator: node.operator, ...descriptor, target, writes: writes(node.operator, target) };
}

function descriptorOf({ descriptor }: Redirection): { descriptor?: string } {
  if (descriptor === undefined) return {};
  return { descriptor: descriptor.type === 'FileDescriptor' ? String(descriptor.value) : descriptor.name };
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
