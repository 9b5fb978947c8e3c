import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandbox, type Sandbox } from '../e2e/larik.ts';
import { startLarik } from './larik-screen.ts';
import type { ProgramInTerminal } from './pty.ts';
import { streamedModel, type StreamedAnswer, type StreamedModel } from './streamed-model.ts';

/** What is promised to be right. */
const smallest = [20, 5] as const;
const largest = [200, 60] as const;

/** Widths that break the text anew, and heights that cut it. */
const sizes = [smallest, largest, [33, 9], [120, 40], [21, 60], [200, 5], [79, 23]] as const;

const hard = '你好，世界 👨‍👩‍👧 e\u0301 한글 עברית `code` **bold** ';

const rowsOf = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `- row ${from + at} ${hard.repeat(2)}\n`).join('');

describe('while an answer comes', () => {
  let model: StreamedModel;
  let box: Sandbox;
  let screen: ProgramInTerminal;
  let answer: StreamedAnswer;

  beforeEach(async () => {
    model = await streamedModel();
    box = await sandbox({}, true, model.settings);
    screen = startLarik(box, ['tell me much']);
    answer = await model.asked();
  });
  afterEach(async () => {
    screen.kill('SIGKILL');
    await screen.exited;
    await model.close();
    await box.dispose();
  });

  /** Many sizes without a pause, this one at last. */
  function storm(columns: number, rows: number, between: (at: number) => unknown): void {
    for (const [at, [width, height]] of [...sizes, ...sizes].entries()) {
      screen.resize(width, height);
      between(at);
    }
    screen.resize(columns, rows);
  }

  /** The end of the answer is shown, by a program that knows the size: its input goes from edge to edge. */
  const isSettled =
    (columns: number) =>
    (shown: string[]): boolean =>
      shown.at(-1)?.trim().startsWith('default') === true &&
      shown.at(-2)?.length === columns &&
      shown.at(-3)?.trim() === '? for shortcuts' &&
      shown.slice(-5).some((row) => row.trim() === 'At last.');

  const picture = (rows: number): { rows: string[]; cells: string[] } => ({
    rows: screen.screen(),
    cells: Array.from({ length: rows }, (_, y) => JSON.stringify(screen.cells(y))),
  });

  it('shows after many sizes what a program shows that has just begun', async () => {
    const seen: { rows: string[]; cells: string[] }[] = [];
    for (const [columns, rows] of [smallest, largest]) {
      const isFirst = seen.length === 0;
      storm(columns, rows, (at) => isFirst && answer.say(rowsOf(at * 10, at * 10 + 10)));
      if (isFirst) {
        answer.say('\nAt last.');
        answer.end();
      }
      await screen.waitFor(isSettled(columns));
      seen.push(picture(rows));
    }
    screen.write('/quit\r');
    await screen.exited;
    for (const [at, [columns, rows]] of [smallest, largest].entries()) {
      screen = startLarik(box, ['--continue'], { columns, rows });
      await screen.waitFor(isSettled(columns));
      expect(picture(rows)).toEqual(seen[at]);
      screen.write('/quit\r');
      await screen.exited;
    }
  });

  it('TUI-15 keeps the view where it was scrolled to, says that more came, and goes back to the end', async () => {
    answer.say(rowsOf(0, 500));
    await screen.waitFor('row 499');
    // Ten rows of the answer at a time; each takes two.
    screen.write('\u001b[5~'.repeat(6));
    await screen.waitFor((shown) => !shown.join('').includes('row 47'));
    screen.write('typed below');
    await screen.waitFor('typed below');
    const [top = ''] = screen.screen();
    const tops = new Set<string>();
    const isDone = (shown: string[]): boolean => {
      tops.add(shown[0] ?? '');
      return !shown.join('').includes('Working');
    };
    for (let row = 500; row < 800; row += 50) answer.say(rowsOf(row, row + 50));
    await screen.waitFor((shown) => isDone(shown) || shown.join('').includes('new output below'));
    answer.end();
    await screen.waitFor(isDone);
    expect([...tops]).toEqual([top]);
    expect(screen.screen().join('\n')).toContain('new output below');
    screen.write('\u001b[1;5F');
    await screen.waitFor('row 799');
    expect(screen.screen().join('\n')).not.toContain('new output');
  });
});
