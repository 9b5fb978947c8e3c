import type { Look } from '../look/glyphs.ts';
import { span, type Drawn, type Line } from '../text/line.ts';
import { bottomRow, boxLeft, boxRow, hintRow, topRow } from './question-box.ts';
import { layoutOf } from './question-layout.ts';
import { hintsOf, titleOf } from './question-words.ts';
import type { Question, QuestionRoom } from './question.ts';

/** How a question is drawn. */
export interface QuestionDrawing extends QuestionRoom {
  /** How many questions wait, this one included. */
  waiting: number;
  look: Look;
  /** Commands in the sandbox reach the network; absent: not known. */
  network?: boolean;
}

/**
 * A permission question in its box (spec: tui, "Permission question"). The keys are always among its rows
 * where there are two, and so is a part of the input.
 */
export function drawQuestion(question: Question, drawing: QuestionDrawing): Drawn {
  const { look, waiting } = drawing;
  const { glyphs } = look;
  const layout = layoutOf(question, drawing, drawing.network, glyphs);
  const { box, scroll, height, input, typed } = layout;
  const title = titleOf(question);
  const content: Line[] = input
    .slice(scroll, scroll + height)
    .map((row) => [span(`${glyphs.quote} `, { tone: 'muted' }), ...row]);
  if (layout.hasPosition) {
    const last = scroll + height;
    const lines = height === 1 ? `line ${last}` : `lines ${scroll + 1} to ${last}`;
    content.push([span(`${lines} of ${input.length}`, { tone: last < input.length ? 'warning' : 'muted' })]);
  }
  for (const { fact, label, rows } of layout.facts) {
    for (const [at, row] of rows.entries()) {
      content.push([
        span(at === 0 ? label : ' '.repeat(label.length), { tone: 'muted' }),
        span(row, { tone: fact.tone, ...(fact.tone === 'warning' ? { bold: true } : {}) }),
      ]);
    }
  }
  const above = (layout.hasTitle ? 1 : 0) + content.length;
  for (const [at, row] of (typed?.rows ?? []).entries()) {
    const { typedLabel: label } = layout;
    content.push([
      span(at === 0 ? label : ' '.repeat(label.length), { tone: 'accent' }),
      ...(row === '' ? [] : [span(row)]),
    ]);
  }
  // In its first frame a question is not known to be seen yet.
  const endSeen = question.endSeen || scroll + height >= input.length;
  if (layout.hasHint) content.push(hintRow(hintsOf({ ...question, endSeen }), box, glyphs));
  const rows: Line[] = content.map((row) => boxRow(row, box, glyphs));
  if (layout.hasTitle) {
    const words: Line = [
      span(title.text, { bold: true }),
      ...(title.about === '' ? [] : [span(title.about)]),
    ];
    rows.unshift(topRow(words, waiting > 1 ? `1 of ${waiting}` : '', box, glyphs));
  }
  if (layout.hasBottom) rows.push(bottomRow(box, glyphs));
  return {
    rows,
    cursor:
      typed === null || typed.rows.length === 0
        ? null
        : { x: boxLeft(box) + layout.typedLabel.length + typed.cursor.x, y: above + typed.cursor.y },
  };
}
