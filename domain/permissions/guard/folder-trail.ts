import type { ShellCommand } from '../../../ports/shell-parser.ts';
import type { Place } from '../path-policy.ts';
import type { Folder, Text } from './acts.ts';
import { joined } from './targets.ts';

/** More folders than this are not told apart. */
const mostFolders = 16;

interface Entered {
  until: number;
  shell: readonly number[];
  here: Folder[];
  otherwise: Folder[];
}

/** Follows `cd` through a line: in which folders each command may run. */
export class FolderTrail {
  private readonly home: string;
  private readonly seen: Folder[];
  /** Where a command runs if the last `cd` did its work, and where if it did not. */
  private here: Folder[];
  private otherwise: Folder[] = [];
  /** What held before each `cd`, for when it is not sure any more that it has run in this shell. */
  private entered: Entered[] = [];
  /** Folders that the line makes. */
  private readonly made = new Set<string>();
  private stopsAtErrors = false;
  /** The command before was run because another failed. */
  private failing = false;

  constructor({ cwd, home }: Place) {
    this.home = home;
    this.here = [{ path: cwd, unless: [] }];
    this.seen = [...this.here];
  }

  /** The folders of the command at that place in the line. */
  before({ after, subshells = [] }: ShellCommand, at: number): readonly Folder[] {
    const isSame = (one: Entered): boolean => one.shell.every((shell, depth) => subshells[depth] === shell);
    const holds = (one: Entered): boolean => one.until > at && isSame(one);
    const over = this.entered.filter((one) => !holds(one));
    this.entered = this.entered.filter(holds);
    for (const one of over.reverse()) {
      this.here = isSame(one) ? union(this.here, one.here) : one.here;
      this.otherwise = isSame(one) ? union(this.otherwise, one.otherwise) : one.otherwise;
    }
    if (after !== '&&') {
      this.here = union(this.here, this.otherwise);
      this.otherwise = [];
    }
    return this.here;
  }

  /** Takes note of what a command changes. */
  after(program: string, args: readonly Text[], command: ShellCommand): void {
    const failed = command.after === '||' || (this.failing && command.after === undefined);
    switch (program) {
      case 'cd':
      case 'pushd':
        this.enter(program, args, command);
        break;
      case 'popd':
        this.enter('cd', [{ text: '-', empties: [] }], command);
        break;
      case 'mkdir':
      case 'git':
        for (const { text } of args)
          for (const { path } of this.here)
            this.made.add(joined(path, text.replace(/^.*[/:](.*)\.git$/s, '$1')));
        break;
      case 'exit':
      case 'return':
        if (failed) this.here = this.here.filter(({ unless }) => unless.length === 0);
        break;
      case 'set':
        this.stopsAtErrors ||= args.some(({ text }) => /^-[a-z]*e/.test(text));
        break;
      default:
    }
    this.failing = failed && (program === 'echo' || program === 'printf');
  }

  private enter(program: string, args: readonly Text[], command: ShellCommand): void {
    const operands = args.filter(({ text }) => text === '-' || !/^[-+]/.test(text));
    if (operands.length === 0 && program === 'pushd') return;
    const before = this.here;
    const targets: Folder[] = [];
    for (const { text } of operands.length === 0 ? [{ text: this.home }] : operands) {
      if (text === '-') targets.push(...this.seen);
      // Nobody counts on which of the two an empty name means.
      else if (text === '') targets.push(...before, { path: this.home, unless: [] });
      else targets.push(...before.map(({ path, unless }) => ({ path: joined(path, text), unless })));
    }
    this.here = union([], targets);
    this.seen.push(...this.here);
    const { until, subshells = [] } = command;
    this.entered.push({ until, shell: subshells, here: before, otherwise: this.otherwise });
    const paths = this.here.map(({ path }) => path);
    if (this.stopsAtErrors || paths.every((path) => this.made.has(path))) return;
    const stayed = before.map(({ path, unless }) => ({
      path,
      unless: [...unless, ...paths].slice(-mostFolders),
    }));
    this.otherwise = union(this.otherwise, stayed);
  }
}

function union(some: readonly Folder[], others: readonly Folder[]): Folder[] {
  const all = new Map<string, Folder>();
  for (const one of [...some, ...others]) {
    const known = all.get(one.path);
    if (known === undefined || one.unless.length === 0) all.set(one.path, one);
  }
  return [...all.values()].slice(0, mostFolders);
}
