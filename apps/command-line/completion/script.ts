import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { completionGrammar, type Grammar } from './grammar.ts';
import { zshCompletion } from './zsh.ts';

const shells: Readonly<Record<string, (grammar: Grammar) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The script that makes a shell complete larik (spec: cli); null for a shell that is not known. */
export function completionScript(shell: string): string | null {
  const make = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  return make === undefined ? null : make(completionGrammar());
}
