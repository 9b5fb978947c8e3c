import { commands, commonOptions, options, type Completes, type OptionRow } from '../table.ts';

/** A command as a shell completes it; the run has the name ''. */
export interface CommandGrammar {
  name: string;
  about: string;
  options: readonly OptionRow[];
  first: Completes;
  second: readonly { word: string; completes: Completes }[];
}

/** What there is to complete: the tables of commands and options, and nothing else. */
export interface Grammar {
  commands: readonly CommandGrammar[];
  /** Those that are followed by a value. */
  valued: readonly OptionRow[];
}

/** The command line as it is now. */
export function completionGrammar(): Grammar {
  const real = commands.filter((row) => row.page === undefined);
  const names = real.map(({ name }) => name).filter((name) => name !== '');
  const topics = commands.filter((row) => row.name !== '' && row.name !== 'version').map(({ name }) => name);
  const first = (name: string): Completes => (name === 'help' ? topics : name === '' ? names : []);
  return {
    valued: options.filter(({ value }) => value !== undefined),
    commands: real.map((row) => ({
      name: row.name,
      about: row.about,
      options: options.filter(({ name }) => [...row.options, ...commonOptions].includes(name)),
      first: row.operands?.first ?? first(row.name),
      second: Object.entries(row.operands?.second ?? {}).map(([word, completes]) => ({ word, completes })),
    })),
  };
}

/** An option's spellings, the short one first. */
export function spellings({ name, short }: OptionRow): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
