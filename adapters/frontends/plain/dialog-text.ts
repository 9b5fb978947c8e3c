import { visibleLine } from '../../../domain/text/terminal/visible-text.ts';
import type { Choice, Dialog } from '../host.ts';

/** So many choices are listed at once; words narrow them down. */
const mostListed = 40;

function choiceLine({ label, detail, current, disabled }: Choice, number: number): string {
  const marks = [
    ...(current === true ? ['current'] : []),
    ...(disabled === undefined ? [] : [`not now: ${disabled}`]),
  ];
  const about = detail === undefined ? '' : `, ${detail}`;
  return visibleLine(`${number}. ${label}${about}${marks.length === 0 ? '' : ` (${marks.join('; ')})`}`);
}

/** The choices with all of these words in them. */
export function narrowed(choices: readonly Choice[], words: string): Choice[] {
  const all = words.toLowerCase().split(/\s+/);
  return choices.filter((choice) => {
    const text = [choice.label, choice.value, choice.detail ?? '', choice.group ?? '']
      .join(' ')
      .toLowerCase();
    return all.every((word) => text.includes(word));
  });
}

/** The choices as a numbered list, each group under its name. */
export function choiceList(choices: readonly Choice[]): string[] {
  const rows: string[] = [];
  let group: string | undefined;
  for (const [at, choice] of choices.slice(0, mostListed).entries()) {
    if (choice.group !== undefined && choice.group !== group) rows.push(`${visibleLine(choice.group)}:`);
    group = choice.group;
    rows.push(choiceLine(choice, at + 1));
  }
  const hidden = choices.length - mostListed;
  if (hidden > 0) rows.push(`and ${hidden} more; type words of one to narrow the list down`);
  return rows;
}

/** What the line under a dialog asks for. */
export function dialogLabel({ ask, filter }: Dialog): string {
  if (ask !== undefined) {
    const initial = ask.initial === undefined || ask.initial === '' ? '' : ` [${visibleLine(ask.initial)}]`;
    return `${visibleLine(ask.label)}${initial}: `;
  }
  return filter === true
    ? 'number, words to narrow down, or nothing to leave: '
    : 'number, or nothing to leave: ';
}

/** The choice that a typed number or value names; null if none. */
export function chosen(choices: readonly Choice[], typed: string): Choice | null {
  if (/^\d+$/.test(typed)) return choices[Number(typed) - 1] ?? null;
  return choices.find(({ value, label }) => value === typed || label === typed) ?? null;
}
