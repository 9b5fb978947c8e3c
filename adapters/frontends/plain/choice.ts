import type { Dialog } from '../host.ts';
import { choiceList, chosen, dialogLabel, narrowed } from './dialog-text.ts';

/** How a dialog is read and written: `next` gives null when no line comes any more. */
export interface Talk {
  say(text: string): Promise<void>;
  next(label: string, masked: boolean): Promise<string | null>;
}

/** Shows a dialog as a numbered list, or asks for its line; null when it was left. */
export async function choiceFor(dialog: Dialog, { say, next }: Talk): Promise<string | null> {
  const { title, text, ask, choices = [], filter, leave = null } = dialog;
  await say(text === undefined ? title : `${title}\n${text}`);
  if (ask !== undefined) {
    const line = await next(dialogLabel(dialog), ask.masked === true);
    return line === null || line === '' ? (ask.initial ?? leave) : line;
  }
  for (let shown = choices; ;) {
    await say(choiceList(shown).join('\n'));
    const line = (await next(dialogLabel(dialog), false))?.trim() ?? '';
    if (line === '') return leave;
    const choice = chosen(shown, line);
    if (choice !== null && choice.disabled === undefined) return choice.value;
    const fewer = choice === null && filter === true ? narrowed(choices, line) : [];
    if (choice !== null) await say(`Not now: ${choice.disabled ?? ''}`);
    else if (fewer.length === 0) await say('There is nothing like that in the list.');
    if (fewer.length > 0) shown = fewer;
  }
}
