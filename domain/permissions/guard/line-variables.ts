import type { ShellAssignment, ShellLoop } from '../../../ports/shell-parser.ts';
import type { Text } from './acts.ts';
import { textsOf, type Known } from './expansion.ts';

/** More values than this are not told apart. */
const mostValues = 64;

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly', 'env', 'sudo']);

/** What a line says of variables: every value that it gives to one, since it may run in any order. */
export class LineVariables {
  private readonly values = new Map<string, Text[]>();
  private readonly functions: readonly string[];

  constructor(functions: readonly string[]) {
    this.functions = functions;
  }

  /** Null: the line does not set it. */
  get(name: string): readonly Text[] | null {
    return this.values.get(/^[@*\d]$/.test(name) ? '@' : name) ?? null;
  }

  assign({ name, words, kind, append }: ShellAssignment, known: Known): void {
    const values = words.flatMap((word) => {
      if (kind === 'list') return textsOf(word, known);
      return textsOf({ ...word, parts: word.parts.map((part) => ({ ...part, quoted: true })) }, known);
    });
    const set = values.length === 0 ? [{ text: '', empties: [] }] : values;
    const before = append && kind === 'set' ? (this.get(name) ?? []) : [];
    const longer = before.flatMap((start) =>
      set.map((end) => ({ text: start.text + end.text, empties: [...start.empties, ...end.empties] })),
    );
    this.add(name, before.length === 0 ? set : longer);
  }

  /** The values that a loop goes through. */
  loop({ name, words }: ShellLoop, known: Known): void {
    this.add(name, words === null ? (this.get('@') ?? []) : words.flatMap((word) => textsOf(word, known)));
  }

  /** What a command sets, or hands to a function or script of the line as `$1`, `$2` and so on. */
  called(program: string, args: readonly Text[]): void {
    if (declaring.has(program)) {
      for (const { text, empties } of args) {
        const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
        if (name !== undefined) this.add(name, [{ text: value, empties }]);
      }
    }
    if (program === 'set' || shells.has(program) || this.functions.includes(program))
      this.add(
        '@',
        args.filter(({ text }) => text !== '' && !/^[-+]./s.test(text)),
      );
  }

  private add(name: string, values: readonly Text[]): void {
    const all = new Map((this.values.get(name) ?? []).map((one) => [one.text, one]));
    for (const one of values) if (all.size < mostValues && !all.has(one.text)) all.set(one.text, one);
    if (all.size > 0) this.values.set(name, [...all.values()]);
  }
}
