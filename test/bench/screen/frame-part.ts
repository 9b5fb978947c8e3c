import { loadHighlighter } from '../../../adapters/frontends/blessed/markdown/highlight.ts';
import type { Frame } from '../../../adapters/frontends/blessed/terminal/frame.ts';
import { span } from '../../../adapters/frontends/blessed/text/line.ts';
import type { Size } from '../../../adapters/frontends/blessed/view/view.ts';
import type { Row } from '../row.ts';
import { key, painterOf, Screen, typed } from './drawn-screen.ts';
import { percentile, timed } from './times.ts';
import { turn } from './turn.ts';

const sizes: readonly Size[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
];
const middle: Size = { columns: 120, rows: 40 };
const frames = 400;
/** Frames before what counts: the first ones are slower until the code is compiled. */
const warmUp = 200;

/** What so many frames took, and how many bytes each was: what happens before it, and its bytes. */
function measured(
  act: (frame: number) => void,
  paint: (frame: number) => string,
): { times: number[]; bytes: number[] } {
  const times: number[] = [];
  const bytes: number[] = [];
  for (let frame = 0; frame < warmUp + frames; frame += 1) {
    let written = '';
    const took = timed(() => {
      act(frame);
      written = paint(frame);
    });
    if (frame < warmUp) continue;
    times.push(took);
    bytes.push(Buffer.byteLength(written));
  }
  return { times, bytes };
}

function timeRow(name: string, goal: number | null, times: readonly number[]): Row {
  const detail = `99 of 100: ${percentile(times, 0.99).toFixed(2)} ms`;
  return { name, goal, unit: 'ms', figure: percentile(times, 0.5), detail };
}

function bytesRow(name: string, goal: number | null, bytes: readonly number[]): Row {
  return { name, goal, unit: 'bytes', figure: percentile(bytes, 0.5), detail: `most: ${Math.max(...bytes)}` };
}

function screenAfter(turns: number, size: Size): Screen {
  const screen = new Screen(size);
  for (let number = 1; number <= turns; number += 1) turn(number).forEach((event) => screen.hear(event));
  return screen;
}

/** A word is typed, and deleted again. */
const typeAt = (screen: Screen) => (frame: number) =>
  screen.act(frame % 40 === 39 ? key('ctrl+u') : typed('a'));

/** Frames of which no two have a cell in common: what writing costs at most. */
function paintedWhole({ columns, rows }: Size): { times: number[]; bytes: number[] } {
  const painter = painterOf();
  const tones = ['accent', 'success', 'warning', 'error'] as const;
  const frameWith = (letter: string): Frame => {
    const word = letter.repeat(10);
    const words = Array.from({ length: columns / 10 }, (_, at) =>
      span(word, { tone: tones[at % 4] ?? 'text' }),
    );
    return { rows: Array.from({ length: rows }, () => [...words]), cursor: null };
  };
  const both = [frameWith('a'), frameWith('b')] as const;
  return measured(
    () => undefined,
    (frame) => painter.paint(both[frame % 2 === 0 ? 0 : 1], { columns, rows }),
  );
}

function frameRowsAt(size: Size): Row[] {
  const screen = screenAfter(20, size);
  const name = `${size.columns}×${size.rows}`;
  const typing = measured(typeAt(screen), () => screen.frame());
  const page = measured(
    (frame) => screen.act(key(frame % 2 === 0 ? 'pageup' : 'pagedown')),
    () => screen.frame(),
  );
  const whole = paintedWhole(size);
  return [
    timeRow(`frame of a key, ${name}`, 1, typing.times),
    timeRow(`frame of another page, ${name}`, null, page.times),
    timeRow(`bytes of a frame, every cell changed, ${name}`, null, whole.times),
    bytesRow(`  bytes of a key`, 100, typing.bytes),
    bytesRow(`  bytes of another page`, null, page.bytes),
    bytesRow(`  bytes of every cell`, null, whole.bytes),
  ];
}

/** An answer of some length grows: by a piece of a line, or by paragraphs, which move all rows up. */
function streamRows(): Row[] {
  const screen = screenAfter(20, middle);
  screen.act({
    type: 'activity',
    activity: { type: 'turn', startedAt: 1_000_000, stopping: false, outputTokens: 0 },
  });
  turn(21)
    .slice(0, 1)
    .forEach((event) => screen.hear(event));
  const hear = (text: string): void => screen.hear({ type: 'text_delta', text });
  const paragraph = (number: number): string =>
    `${'So many words stand here. '.slice(number % 26)}Paragraph ${number} of an answer.\n\n`;
  for (let count = 0; count < 1000; count += 1) hear(paragraph(count));
  const next = (): string => screen.frame();
  const lines = measured((frame) => hear(paragraph(frame)), next);
  const pieces = measured((frame) => hear(frame % 40 === 39 ? '\n\n' : 'a piece of an answer'), next);
  return [
    timeRow('frame of a streamed piece, 120×40', 1, pieces.times),
    timeRow('frame of a streamed paragraph, 120×40', null, lines.times),
    bytesRow('  bytes of a streamed piece', null, pieces.bytes),
    bytesRow('  bytes of a streamed paragraph', null, lines.bytes),
  ];
}

/** What a frame takes from the action to its bytes, and how many these are (spec: tui, "Speed"). */
export async function framePart(): Promise<Row[]> {
  await loadHighlighter();
  return [...sizes.flatMap(frameRowsAt), ...streamRows()];
}
