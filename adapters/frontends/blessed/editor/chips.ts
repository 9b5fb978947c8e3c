import type { ImageBlock } from '../../../../ports/message.ts';
import type { Chip, Editor } from './editor.ts';

/** Where a chip stands in the text. */
export interface PlacedChip {
  from: number;
  to: number;
  chip: Chip;
}

/** Pastes of more lines, or of more UTF-16 units, are folded. */
const mostLines = 10;
const mostUnits = 1000;

/** Chips in the order of the text; a label that stands there twice stands for the same both times. */
export function chipsIn({ text, chips }: Pick<Editor, 'text' | 'chips'>): PlacedChip[] {
  if (chips.length === 0) return [];
  const placed: PlacedChip[] = [];
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at)) {
    const from = at;
    const chip = chips.find(({ label }) => text.startsWith(label, from));
    if (chip === undefined) {
      at += 1;
    } else {
      at += chip.label.length;
      placed.push({ from, to: at, chip });
    }
  }
  return placed;
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}

/** The first label that neither a chip nor the text has. */
function freeLabel({ text, chips }: Editor, labelOf: (number: number) => string): string {
  for (let number = 1; ; number += 1) {
    const label = labelOf(number);
    if (chips.every((chip) => chip.label !== label) && !text.includes(label)) return label;
  }
}

/** The chip for a paste that is too large to be shown; null: it is not. */
export function pastedChip(editor: Editor, text: string): Chip | null {
  const lines = linesOf(text);
  if (lines <= mostLines && text.length <= mostUnits) return null;
  const size = lines === 1 ? `${text.length} characters` : `${lines} lines`;
  const before = editor.chips.filter((chip) => 'text' in chip).length;
  return { label: freeLabel(editor, (number) => `[Pasted text ${before + number}, ${size}]`), text };
}

export function imageChip(editor: Editor, image: ImageBlock): Chip {
  const before = editor.chips.filter((chip) => 'image' in chip).length;
  return { label: freeLabel(editor, (number) => `[Image ${before + number}]`), image };
}
