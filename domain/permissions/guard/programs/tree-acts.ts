import type { Act, Argument, TreeVerb } from '../acts.ts';
import { isSelective, searchRoots } from './find.ts';
import type { Invocation } from '../invocations.ts';

interface Program {
  verb: TreeVerb;
  /** Matches a short option, alone or among others, that makes it work on whole trees; null: it always does. */
  recursive: RegExp | null;
  follows: boolean;
}

const rights = { verb: 'change permissions of', recursive: /^-[A-Za-z]*R/, follows: true } as const;
const owner = { ...rights, verb: 'change the owner of' } as const;
const removal = { verb: 'delete', recursive: /^-[A-Za-z]*[rR]/, follows: false } as const;

const programs: Record<string, Program> = {
  rm: removal,
  grm: removal,
  srm: removal,
  mv: { verb: 'move', recursive: null, follows: false },
  gmv: { verb: 'move', recursive: null, follows: false },
  chmod: rights,
  setfacl: rights,
  chattr: rights,
  chown: owner,
  chgrp: owner,
};

/** The names of programs that can change whole trees of files. */
export const treePrograms: ReadonlySet<string> = new Set([...Object.keys(programs), 'find', 'rsync']);

/** Which trees a command deletes, moves or changes as a whole. */
export function treeActs({ program, args, folders, each }: Invocation): Act[] {
  const act = (verb: TreeVerb, target: Argument, follows: boolean): Act => ({
    kind: 'tree',
    verb,
    target,
    folders,
    follows,
  });
  if (program === 'find') {
    const deletes = args.some((arg) => arg?.text === '-delete') && !isSelective(args);
    return deletes ? searchRoots(args).map((root) => act('delete', root, true)) : [];
  }
  if (program === 'rsync') {
    const target = operandsOf(args).at(-1);
    const deletes = args.some((arg) => arg?.text.startsWith('--del'));
    const isLocal = target === null || !/^[^/]*:/.test(target?.text ?? ':');
    return deletes && target !== undefined && isLocal ? [act('delete', target, true)] : [];
  }
  const known = Object.hasOwn(programs, program) ? programs[program] : undefined;
  if (known === undefined) return [];
  if (!each && known.recursive !== null && !isRecursive(args, known.recursive)) return [];
  const operands = operandsOf(args);
  const changed = known.verb === 'move' ? movedBy(args, operands) : operands;
  return changed.map((target) => act(known.verb, target, known.follows));
}

function isRecursive(args: readonly Argument[], flag: RegExp): boolean {
  const end = args.findIndex((arg) => arg?.text === '--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => {
    const text = arg?.text ?? '';
    return flag.test(text) || (text.startsWith('--r') && '--recursive'.startsWith(text));
  });
}

/** All that is no option; after `--` everything. */
export function operandsOf(args: readonly Argument[]): Argument[] {
  const end = args.findIndex((arg) => arg?.text === '--');
  const last = end === -1 ? args.length : end;
  return args.filter((arg, at) => at > last || (at < last && !/^-./s.test(arg?.text ?? '')));
}

/** The last operand is where they go, unless `-t` names that. */
function movedBy(args: readonly Argument[], operands: readonly Argument[]): readonly Argument[] {
  const at = args.findIndex((arg) => /^(?:-[A-Za-z]*t$|--target-directory)/.test(arg?.text ?? ''));
  if (at === -1) return operands.slice(0, -1);
  const next = args[at]?.text.includes('=') === true ? undefined : args[at + 1];
  return operands.filter((one) => one !== next || one === undefined);
}
