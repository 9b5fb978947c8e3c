import { nearestFirst, nearness, nearnessOfPart } from '../completion/fuzzy.ts';
import type { Choice, Dialog } from '../../host.ts';
import type { DialogState } from './dialog-state.ts';

const kept = new WeakMap<Dialog, { query: string; choices: readonly Choice[] }>();

function wordNearness(word: string, { label, detail = '', group = '' }: Choice): number | null {
  const scores = [nearness(word, label), nearnessOfPart(word, detail), nearnessOfPart(word, group)];
  const [ofLabel = null, ...others] = scores;
  // What a choice is called counts before what is said of it.
  const found = [ofLabel, ...others.map((score) => score && score - 450)].filter((score) => score !== null);
  return found.length === 0 ? null : Math.max(...found);
}

function choiceNearness(words: readonly string[], choice: Choice): number | null {
  let sum = 0;
  for (const word of words) {
    const score = wordNearness(word, choice);
    if (score === null) return null;
    sum += score;
  }
  return sum;
}

/** Rows of one group together, groups in the order of their first row. */
function grouped(choices: readonly Choice[]): Choice[] {
  const groups = new Map<string | undefined, Choice[]>();
  for (const choice of choices) {
    const group = groups.get(choice.group);
    if (group === undefined) groups.set(choice.group, [choice]);
    else group.push(choice);
  }
  return [...groups.values()].flat();
}

/** The choices that match what is typed, as they stand in the list: nearest first, groups together. */
export function matchingChoices({ dialog, query }: Pick<DialogState, 'dialog' | 'query'>): readonly Choice[] {
  const known = kept.get(dialog);
  if (known?.query === query) return known.choices;
  const words = query.split(/\s+/).filter((word) => word !== '');
  const all = dialog.choices ?? [];
  const choices = grouped(
    words.length === 0 ? all : nearestFirst(all, (choice) => choiceNearness(words, choice)),
  );
  kept.set(dialog, { query, choices });
  return choices;
}

/** Index of the choice that is marked while nothing is typed: the one that is asked for, or is in force. */
export function initialChoice(dialog: Dialog): number {
  const choices = matchingChoices({ dialog, query: '' });
  const asked = dialog.selected === undefined ? undefined : dialog.choices?.[dialog.selected];
  const found = choices.findIndex((choice) =>
    asked === undefined ? choice.current === true : choice === asked,
  );
  return Math.max(0, found);
}
