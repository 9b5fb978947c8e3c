import type { ImageBlock } from '../../../../ports/message.ts';
import { chipsIn } from './chips.ts';
import type { Editor } from './editor.ts';
import { remembered } from './history.ts';

/** What is sent. */
export interface Submission {
  /** Pastes in full; a picture stays as `[Image 1]`. */
  text: string;
  /** In the order of the text, each once. */
  images: ImageBlock[];
}

/** The input as it is sent, or given to the user's own editor. */
export function submission(editor: Editor): Submission {
  const parts: string[] = [];
  const images = new Set<ImageBlock>();
  let at = 0;
  for (const { from, to, chip } of chipsIn(editor)) {
    if ('image' in chip) {
      images.add(chip.image);
      continue;
    }
    parts.push(editor.text.slice(at, from), chip.text);
    at = to;
  }
  parts.push(editor.text.slice(at));
  return { text: parts.join(''), images: [...images] };
}

/** Whether there is nothing to send. */
export function isEmpty(editor: Editor): boolean {
  return editor.text.trim() === '';
}

/** The input after its text was sent: empty, with the text among the earlier prompts. */
export function sentEditor(editor: Editor): Editor {
  const history = remembered(editor.history, submission(editor).text);
  return {
    ...editor,
    text: '',
    cursor: 0,
    chips: [],
    column: null,
    undo: [],
    redo: [],
    history,
    shown: null,
    draft: null,
    search: null,
    run: null,
  };
}
